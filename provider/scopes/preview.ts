import * as z from "zod";
import { type Properties, UNKNOWN, UNKNOWN_TEXT } from "../../kit/lifecycle/properties";
import type { Step } from "../../kit/preflight";
import { readJsonFile } from "../command/pulumi-file";
import { failedPreview, invalidPreview } from "./messages";

const properties = z.record(z.string(), z.unknown()).default({});

/** A resource's state before or after a step. In a preview, the new state lacks most outputs. */
const Recorded = z.object({
  id: z.string().optional(),
  inputs: properties,
  outputs: z.record(z.string(), z.unknown()).optional(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
});

const StepInPreview = z.object({
  op: z.string(),
  urn: z.string(),
  provider: z.string().default(""),
  diffReasons: z.array(z.string()).nullish(),
  oldState: Recorded.optional(),
  newState: Recorded.optional(),
});

const Preview = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  steps: z.array(StepInPreview),
  diagnostics: z.array(z.object({ severity: z.string() })).nullish(),
  /** Number of resources for each planned operation, such as `create` or `same`. */
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

type Recorded = z.output<typeof Recorded>;
export type PreviewedStep = z.output<typeof StepInPreview>;
export type Preview = z.output<typeof Preview>;

/**
 * Reads the output of `pulumi preview --json`.
 *
 * @param file Path of the file; `-` means standard input.
 * @throws Error if the file is not a preview, or if the preview failed and so lacks steps.
 */
export async function readPreview(file: string): Promise<Preview> {
  const preview = await readJsonFile(file, Preview, { content: "preview", invalid: invalidPreview });
  if (hasFailed(preview)) throw new Error(failedPreview({ file }));
  return preview;
}

/**
 * Returns whether the program of a preview failed. A YAML program with an invalid property fails, but reports only
 * `info#err`. A successful program that writes to standard error reports `info#err` too, but its preview is complete.
 */
function hasFailed({ steps, diagnostics, changeSummary }: Preview): boolean {
  const severities = new Set(diagnostics?.map(({ severity }) => severity));
  if (severities.has("error")) return true;
  const read = new Set(steps.flatMap(({ op, urn }) => (op === "refresh" && !PROVIDER.test(urn) ? [urn] : [])));
  const planned = Object.values(changeSummary ?? {}).reduce((sum, count) => sum + count, 0);
  // A complete preview plans more steps than it refreshes resources, because it also plans a step for the stack.
  return severities.has("info#err") && planned <= Math.max(read.size, 1);
}

const PROVIDER = /::pulumi:providers:/;

/** One half of a replacement (its deletion or its creation), or a complete step of any other kind. */
export interface StepPart {
  /** The kind of change. Absent if the object is only read. */
  readonly change?: Step;
  readonly from?: Recorded | undefined;
  readonly to?: Recorded | undefined;
}

/** Returns the provider's name, without the version that the engine appends to the name of the default provider. */
export const providerNameIn = (reference: string): string =>
  (reference.split("::").at(-2) ?? "").replace(/^default_.*/, "default");

function withUnknowns(value: unknown): unknown {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? cleanProperties(value as Properties)
    : value;
}

/** Returns whether the engine removes an object from the state without asking the provider to delete it. */
const isOnlyForgotten = (state: Recorded | undefined, deleted: ReadonlySet<string>): boolean =>
  state?.retainOnDelete === true || (state?.deletedWith !== undefined && deleted.has(state.deletedWith));

/** Drops the engine's own properties, and marks values that are not known yet. */
export const cleanProperties = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name, value]) => !name.startsWith("__") && value !== null)
      .map(([name, value]) => [name, withUnknowns(value)]),
  );

/**
 * Splits a replacement into a deletion and a creation. Returns every other step as a single part, without a `change` if
 * the step changes nothing on the platform.
 */
export function partsOf(
  { op, diffReasons, oldState: from, newState: to }: PreviewedStep,
  deleted: ReadonlySet<string>,
): StepPart[] {
  const creation: StepPart = { change: "create", to };
  const deletion: StepPart = isOnlyForgotten(from, deleted) ? { from } : { change: "delete", from };
  switch (op) {
    case "create":
    case "create-replacement":
      return [creation];
    case "replace":
      return [deletion, creation];
    case "delete":
    case "delete-replaced":
      return [deletion];
    case "update": {
      // An update step with outputs in its new state comes from a refresh, which reports drift but changes nothing.
      if (to?.outputs) return [{ from, to }];
      const isRestored = from?.outputs?.deletedAt !== undefined && (diffReasons?.includes("deletedAt") ?? true);
      return [{ change: isRestored ? "restore" : "update", from, to }];
    }
    default:
      return [{ from, to }];
  }
}
