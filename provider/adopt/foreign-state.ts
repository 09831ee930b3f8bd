import * as z from "zod";
import { SECRET, SIGNATURE } from "../../kit/lifecycle/properties";
import { invalidState } from "../command/messages";
import { readJsonFile } from "../command/pulumi-file";

/** Types that say what the resource is. The group in each expression is the type that this provider has for it. */
const SOURCES = [
  // The native and the bridged provider of celest-dev, and the provider of pierskarsenbarg.
  /^turso:index(?:\/\w+)?:(Group|Database|DatabaseToken|GroupToken)$/,
  // The dynamic providers of this package.
  /^pulumi-nodejs:dynamic\/dbplatform:(\w+)$/,
];

/** Types that say nothing, so the state is searched for UUIDs and tokens. */
const HAND_WRITTEN = /^pulumi-(?:nodejs|python):dynamic[:/]/;

const properties = z.record(z.string(), z.unknown()).default({});

const ForeignResource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  inputs: properties,
  outputs: properties,
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
});

export type ForeignResource = z.output<typeof ForeignResource>;

const State = z.object({ deployment: z.object({ resources: z.array(ForeignResource).default([]) }) });

/**
 * Reads the resources of other providers in an exported state.
 *
 * @param path File that `pulumi stack export` created; `-` means standard input.
 */
export async function readForeignState(path: string): Promise<readonly ForeignResource[]> {
  const { deployment } = await readJsonFile(path, State, { content: "state", invalid: invalidState });
  return deployment.resources.filter(
    (resource) =>
      !resource.external && !resource.delete && (typeOf(resource) !== undefined || HAND_WRITTEN.test(resource.type)),
  );
}

/** Returns the type that this provider has for the resource, if the resource's own type says that. */
export const typeOf = ({ type }: ForeignResource): string | undefined =>
  SOURCES.map((source) => source.exec(type)?.[1]).find((own) => own !== undefined);

/** Pulumi's form of a secret in a state: encrypted, or decrypted as JSON. */
export const Secret = z.object({
  [SIGNATURE]: z.literal(SECRET),
  plaintext: z.string().optional(),
  ciphertext: z.string().optional(),
});

/** Returns all texts in a value, at any depth, and whether it contains an encrypted secret. */
export function contentOf(value: unknown): { readonly texts: ReadonlySet<string>; readonly isEncrypted: boolean } {
  const texts = new Set<string>();
  let isEncrypted = false;
  const collect = (inside: unknown): void => {
    if (typeof inside === "string") texts.add(inside);
    if (typeof inside !== "object" || inside === null) return;
    const secret = Secret.safeParse(inside).data;
    if (secret?.plaintext !== undefined) collect(decoded(secret.plaintext));
    else if (secret) isEncrypted = true;
    // The engine's own values, such as the program of a dynamic provider, begin so.
    else for (const [key, each] of Object.entries(inside)) if (!key.startsWith("__")) collect(each);
  };
  collect(value);
  return { texts, isEncrypted };
}

/** The error of a malformed JSON text would quote the secret. */
function decoded(plaintext: string): unknown {
  try {
    return JSON.parse(plaintext);
  } catch {
    return plaintext;
  }
}

/** Returns a value as the engine records a secret, also if another provider has not marked it as one. */
export const asSecret = (value: unknown): unknown =>
  typeof value === "string" ? { [SIGNATURE]: SECRET, plaintext: JSON.stringify(value) } : value;
