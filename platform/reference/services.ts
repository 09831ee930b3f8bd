import type { Signer } from "./credentials/signer";
import type { Faults } from "./faults/faults";
import type { Ids } from "./ids";
import type { Journal } from "./journal/journal";
import type { Contents } from "./operations/contents";
import type { ReferenceApi } from "./reference-api";
import type { Snapshots } from "./snapshots/snapshots";
import type { SqlServer } from "./sql/server";
import type { Store } from "./store/store";
import type { Clock } from "./time/clock";

export interface Services {
  readonly store: Store;
  readonly signer: Signer;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  /** Aborted when the server shuts down, so that no request keeps waiting. */
  readonly ending: AbortSignal;
  /** The SQL server that serves the databases, if the option `sql` is set. */
  readonly sql?: SqlServer;
  readonly contents?: Contents;
  /** Saves and loads snapshots. The code is loaded when it is first needed. */
  snapshots(): Promise<Snapshots>;
  /** Whether pages of every origin may use the platform's API. */
  readonly isOpenToPages: boolean;
  /** Implements `/_reference/` and the page, unless the option `control` is `false`. */
  readonly api?: ReferenceApi;
}
