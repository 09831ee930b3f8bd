import { createHash, randomBytes } from "node:crypto";
import { AUTONAMING_DISABLED } from "./inputs/messages";

const SUFFIX_LENGTH = 7;

/** The engine's input for generating an omitted name. */
export interface NameRequest {
  /** The resource's name in the program. */
  readonly logicalName: string;
  /** Stays the same for all checks of one planned creation; empty when the engine sends no seed. */
  readonly randomSeed: Uint8Array;
  /** The result of the user's `pulumi:autonaming` settings. */
  readonly autonaming?: { readonly mode: "propose" | "enforce" | "disable"; readonly proposed: string };
}

/** Returns the name to use, or the reason why there is none. */
export type Propose = (longest: number) => { readonly name: string } | { readonly problem: string };

export const proposer =
  ({ logicalName, randomSeed, autonaming }: NameRequest): Propose =>
  (longest) => {
    if (autonaming?.mode === "disable") return { problem: AUTONAMING_DISABLED };
    if (autonaming?.mode === "enforce") return { name: autonaming.proposed };
    if (autonaming) return { name: nearest(autonaming.proposed, longest) };
    const seed = randomSeed.length > 0 ? randomSeed : randomBytes(32);
    const suffix = createHash("sha256").update(seed).digest("hex").slice(0, SUFFIX_LENGTH);
    return { name: `${nearest(logicalName, longest - SUFFIX_LENGTH - 1)}-${suffix}` };
  };

/** Converts text to the closest name that the platform allows. */
function nearest(text: string, longest: number): string {
  const fitted = text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
  return fitted || "x";
}
