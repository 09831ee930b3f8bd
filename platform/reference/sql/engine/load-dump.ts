import { setImmediate as moment } from "node:timers/promises";
import { code } from "./code";
import type { SqliteConnection } from "./connection";
import { SqlFailure } from "./failure";
import type { Rights } from "./jobs";
import { TRANSACTION_ENDED } from "./messages";
import { nextStatement, scriptLineAt } from "./script";
import type { Turn } from "./watchdog";

/** The number of statements after which a job yields to other jobs. */
const STATEMENTS = 1_000;

/** The rights for loading a dump. A dump may do anything within its database, but cannot access anything outside. */
const UNRESTRICTED: Rights = {
  reads: true,
  writes: true,
  refusal: { reads: "", writes: "" },
  rules: null,
  attachable: {},
};

/** Transaction statements in a dump. They are skipped, because the whole dump is loaded in one transaction. */
const TRANSACTION = /^(begin|commit|end)\b/i;

/**
 * Runs a dump in one transaction.
 *
 * @throws SqlFailure with the line of the first statement that fails, after rolling back the transaction.
 */
export async function loadDump(
  connection: SqliteConnection,
  { text, isAlone }: { readonly text: string; readonly isAlone: boolean },
  turn: Turn,
): Promise<void> {
  connection.own(code`pragma foreign_keys = off`);
  connection.own("begin immediate");
  let at = nextStatement(text, 0);
  try {
    for (let count = 0; at < text.length; count += 1) {
      const prepared = turn.guard(() => connection.prepare(text, at, UNRESTRICTED));
      if (!TRANSACTION.test(prepared.text)) turn.guard(() => connection.run(prepared, [], false));
      if (!connection.isTransaction) throw new SqlFailure(TRANSACTION_ENDED, "SQL_INPUT_ERROR");
      at = nextStatement(text, prepared.end);
      if (count % STATEMENTS === 0) await moment();
    }
    // Until then, the dump can be loaded again if the process is killed.
    turn.change(isAlone);
    turn.guard(() => connection.own("commit"));
  } catch (thrown) {
    connection.rollBack();
    throw thrown instanceof SqlFailure ? new SqlFailure(thrown.message, thrown.code, scriptLineAt(text, at)) : thrown;
  }
}
