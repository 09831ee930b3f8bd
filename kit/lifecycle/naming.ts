import { createHash, randomBytes } from "node:crypto";
import type { AnyResource } from "../definition";
import { AUTONAMING_DISABLED, noRoomToGenerate } from "./messages";

const SUFFIX_LENGTH = 7;

/** Length of the shortest generated name: one character, a hyphen and the suffix. */
const SHORTEST = SUFFIX_LENGTH + 2;

export interface NameRequest {
  readonly logicalName: string;
  /** A random seed that is the same in every Check of a planned resource. Empty if the engine sends no seed. */
  readonly randomSeed: Uint8Array;
  /** Pulumi's proposal for the name, according to the user's `pulumi:autonaming` settings. */
  readonly autonaming?: { readonly mode: "propose" | "enforce" | "disable"; readonly proposed: string };
}

/** A function that returns a name for the resource, or the reason why no name can be generated. */
export type Propose = (longest: number, within: string) => { readonly name: string } | { readonly problem: string };

export const nameProposer =
  ({ logicalName, randomSeed, autonaming }: NameRequest): Propose =>
  (longest, within) => {
    if (autonaming?.mode === "disable") return { problem: AUTONAMING_DISABLED };
    if (autonaming?.mode === "enforce") return { name: autonaming.proposed };
    if (autonaming) return { name: nearestGeneratedName(autonaming.proposed, longest) };
    // If `longest` is less than 1, no name fits at all. Name validation then reports the problem.
    if (longest >= 1 && longest < SHORTEST)
      return { problem: noRoomToGenerate({ shortest: SHORTEST, longest, within }) };
    const seed = randomSeed.length > 0 ? randomSeed : randomBytes(32);
    const suffix = createHash("sha256").update(seed).digest("hex").slice(0, SUFFIX_LENGTH);
    return { name: `${nearestGeneratedName(logicalName, longest - SHORTEST + 1)}-${suffix}` };
  };

/** Converts a string to a similar name that the platform accepts. */
function nearestGeneratedName(text: string, longest: number): string {
  const fitted = text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, Math.max(0, longest))
    .replace(/^-+|-+$/g, "");
  return fitted || "x";
}

/** Returns whether the argument is a name that the provider can generate. */
export const isGeneratedName = ({ named }: AnyResource, property: string): boolean =>
  named !== undefined && property === "name";

export const logicalNameInUrn = (urn: string): string => urn.split("::").at(-1) ?? urn;
