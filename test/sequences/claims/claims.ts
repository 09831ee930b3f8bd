import type { Claim } from "./claim";
import { CREDENTIAL } from "./credential";
import { NAMES } from "./names";
import { OBJECTS } from "./objects";
import { PROGRAM } from "./program";

/** All claims. The first claim with a sentence that is in a refusal applies. */
export const CLAIMS: readonly Claim[] = [...PROGRAM, ...CREDENTIAL, ...NAMES, ...OBJECTS];
