import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Managed } from "../fake-engine/declared-stack";
import type { Stack } from "./stack";

/** A resource of this provider in the state of a stack. */
export interface StateEntry {
  readonly urn: string;
  readonly id: string;
  readonly type: string;
  /** Whether a later run still has to delete this replaced object. */
  readonly delete?: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Reads the state file directly, because running a CLI command would be slower. Secrets are encrypted. */
export function stateEntries(stack: Stack): StateEntry[] {
  const { checkpoint } = JSON.parse(stateFileText(stack));
  return (checkpoint.latest?.resources ?? []).filter(isOurs);
}

export const stateFileText = ({ folder }: Stack): string =>
  readFileSync(join(folder, "state/.pulumi/stacks/test/dev.json"), "utf8");

export const isOurs = ({ type }: { readonly type: string }): boolean => type.startsWith("dbplatform:");

/** Returns the resources that the stack manages, by logical name. */
export const managedIn = (entries: readonly StateEntry[]): Map<string, Managed> =>
  new Map(
    entries
      .filter((entry) => !entry.delete)
      .map(({ urn, id, type, inputs, outputs }) => [
        slotOf(urn),
        { type: type.split(":").at(-1) ?? "", id, inputs, outputs },
      ]),
  );

/** Returns the logical name in a URN. */
export const slotOf = (urn: string): string => urn.split("::").at(-1) ?? "";
