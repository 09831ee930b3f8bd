import type { Clock } from "./clock";
import type { Signer } from "./credentials/signer";
import type { Faults } from "./faults";
import type { Ids } from "./ids";
import type { Journal } from "./journal";
import type { Store } from "./store/store";

/** What one running reference API consists of. */
export interface Parts {
  readonly store: Store;
  readonly signer: Signer;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Aborted when the server ends, so that nothing goes on waiting. */
  readonly ending: AbortSignal;
  /** Asked for under `/_reference/` when others than this machine can reach the server. */
  readonly key?: string;
}
