import * as z from "zod";
import { invalidState } from "./messages";
import { readJsonFile } from "./pulumi-file";
import { typeOfToken } from "./type-token";

/** An object of the platform. */
interface Manageable {
  readonly resource: { readonly type: string };
  readonly id: string;
}

/** The objects that at least one stack manages. */
export interface ManagedObjects {
  has(thing: Manageable): boolean;
  /** Returns the stacks that manage an object, as `<project>/<stack>`. */
  stacksOf(thing: Manageable): readonly string[];
}

/**
 * The fields of an exported state that the commands read. An `external` resource was only read with `.get`, so
 * the stack does not manage it.
 */
const State = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          id: z.string().optional(),
          external: z.boolean().optional(),
        }),
      )
      .default([]),
  }),
});

/**
 * Reads the exported states of stacks.
 *
 * @param paths Files that `pulumi stack export` created; `-` means standard input.
 */
export async function readStates(paths: readonly string[]): Promise<ManagedObjects> {
  const resources = (await Promise.all(paths.map(resourcesInState))).flat();
  const stacks = Map.groupBy(resources, ({ key }) => key);
  return {
    has: (thing) => stacks.has(managedKey(thing.resource.type, thing.id)),
    stacksOf: (thing) => {
      const found = stacks.get(managedKey(thing.resource.type, thing.id)) ?? [];
      return [...new Set(found.map(({ stack }) => stack))].sort();
    },
  };
}

async function resourcesInState(path: string): Promise<{ readonly key: string; readonly stack: string }[]> {
  const { deployment } = await readJsonFile(path, State, { content: "state", invalid: invalidState });
  return deployment.resources.flatMap(({ urn, type, id, external }) => {
    const own = typeOfToken(type);
    return own === undefined || id === undefined || external
      ? []
      : [{ key: managedKey(own, id), stack: stackInUrn(urn) }];
  });
}

/** Reads the stack from a URN: `urn:pulumi:<stack>::<project>::<type>::<name>`. */
function stackInUrn(urn: string): string {
  const [stack = "", project = ""] = urn.replace(/^urn:pulumi:/, "").split("::");
  return `${project}/${stack}`;
}

const managedKey = (type: string, id: string): string => `${type} ${id}`;
