import { createHash, randomBytes } from "node:crypto";

const SUFFIX_LENGTH = 7;

/** What the engine says about names that the program leaves out. */
export interface NameRequest {
  /** The resource's name in the program. */
  readonly logicalName: string;
  /** The same for every check of one planned creation; empty where there is none. */
  readonly randomSeed: Uint8Array;
  /** The user's `pulumi:autonaming` settings, applied. */
  readonly autonaming?: { readonly mode: "propose" | "enforce" | "disable"; readonly proposed: string };
}

/** Gives the name to use, or says why there is none. */
export type Propose = (longest: number) => { readonly name: string } | { readonly problem: string };

export const proposer =
  ({ logicalName, randomSeed, autonaming }: NameRequest): Propose =>
  (longest) => {
    if (autonaming?.mode === "disable") return { problem: "is required, since autonaming is disabled for this stack" };
    if (autonaming?.mode === "enforce") return { name: autonaming.proposed };
    if (autonaming) return { name: nearest(autonaming.proposed, longest) };
    const seed = randomSeed.length > 0 ? randomSeed : randomBytes(32);
    const suffix = createHash("sha256").update(seed).digest("hex").slice(0, SUFFIX_LENGTH);
    return { name: `${nearest(logicalName, longest - SUFFIX_LENGTH - 1)}-${suffix}` };
  };

/** The nearest name that the platform allows. */
function nearest(text: string, longest: number): string {
  const fitted = text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
  return fitted || "x";
}
