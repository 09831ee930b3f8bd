import { createHash, randomBytes } from "node:crypto";
import type { AnyResource } from "../definition";
import { AUTONAMING_DISABLED, noRoomToGenerate } from "./messages";

const DIGEST_LENGTH = 7;

/** Length of the shortest generated name: one character, a hyphen and a digest. */
const SHORTEST = DIGEST_LENGTH + 2;

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
    const proposed = autonaming && nearestName(autonaming.proposed);
    if (proposed !== undefined && proposed.length <= Math.max(1, longest)) return { name: proposed };
    // If `longest` is less than 1, no name fits at all. Name validation then reports the problem.
    if (longest >= 1 && longest < SHORTEST)
      return { problem: noRoomToGenerate({ shortest: SHORTEST, longest, within }) };
    const room = Math.max(1, longest - SHORTEST + 1);
    if (proposed !== undefined) return { name: nameWithoutMiddle(proposed, room) };
    const seed = randomSeed.length > 0 ? randomSeed : randomBytes(32);
    return { name: joinedName(nearestName(logicalName).slice(0, room), digestOf(seed)) };
  };

/**
 * Cuts a proposal in the middle, because its random part is usually at the end. A digest takes the place of what is left
 * out, so that proposals which differ only there do not get the same name.
 */
function nameWithoutMiddle(proposed: string, room: number): string {
  const start = Math.floor((room - 1) / 2);
  return joinedName(proposed.slice(0, start), digestOf(proposed), proposed.slice(proposed.length - (room - 1 - start)));
}

const digestOf = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex").slice(0, DIGEST_LENGTH);

/** Converts a string to a similar name that the platform accepts, apart from its length. */
const nearestName = (text: string): string => joinedName(text.toLowerCase().replace(/[^a-z0-9-]+/g, "-"));

const joinedName = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/^-+|-+$/g, ""))
    .filter((part) => part !== "")
    .join("-") || "x";

/** Returns whether the argument is a name that the provider can generate. */
export const isGeneratedName = ({ named }: AnyResource, property: string): boolean =>
  named !== undefined && property === "name";

export const logicalNameInUrn = (urn: string): string => urn.split("::").at(-1) ?? urn;

/** Returns `<token>` from a URN of the form `urn:pulumi:<stack>::<project>::<parents' tokens>$<token>::<name>`. */
export const typeTokenInUrn = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";
