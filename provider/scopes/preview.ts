import * as z from "zod";
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

const Step = z.object({
  op: z.string(),
  urn: z.string(),
  provider: z.string().default(""),
  diffReasons: z.array(z.string()).nullish(),
  oldState: Recorded.optional(),
  newState: Recorded.optional(),
});

const Preview = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  steps: z.array(Step),
  diagnostics: z.array(z.object({ severity: z.string() })).nullish(),
  /** Number of resources for each planned operation, such as `create` or `same`. */
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

export type Recorded = z.output<typeof Recorded>;
export type PreviewedStep = z.output<typeof Step>;
export type Preview = z.output<typeof Preview>;

/**
 * Reads the output of `pulumi preview --json`.
 *
 * @param file Path of the file; `-` means standard input.
 * @throws Error if the file is not a preview, or if the preview failed and so lacks steps.
 */
export async function readPreview(file: string): Promise<Preview> {
  const preview = await readJsonFile(file, Preview, { content: "preview", invalid: invalidPreview });
  if (hasPreviewFailed(preview)) throw new Error(failedPreview({ file }));
  return preview;
}

/**
 * Returns whether the program of a preview failed. A YAML program with an invalid property fails, but reports only
 * `info#err`. A successful program that writes to standard error reports `info#err` too, but its preview is complete.
 */
function hasPreviewFailed({ steps, diagnostics, changeSummary }: Preview): boolean {
  const severities = new Set(diagnostics?.map(({ severity }) => severity));
  if (severities.has("error")) return true;
  const read = new Set(steps.flatMap(({ op, urn }) => (op === "refresh" && !PROVIDER.test(urn) ? [urn] : [])));
  const planned = Object.values(changeSummary ?? {}).reduce((sum, count) => sum + count, 0);
  // A complete preview plans more steps than it refreshes resources, because it also plans a step for the stack.
  return severities.has("info#err") && planned <= Math.max(read.size, 1);
}

const PROVIDER = /::pulumi:providers:/;
