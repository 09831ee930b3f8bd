import { recordProof } from "./release/proof";
import { root } from "./run";

// `.ci/run` ends with this, so that a release does not prove the same files again.
recordProof(root);
