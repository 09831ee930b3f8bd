// @module-tag no-database-is-lost

import { expect, test } from "vitest";
import { engineFixture } from "../engine/engine-fixture";
import type { RunOptions } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import { aConfiguration, aDatabaseNamed, dbIdOf } from "../stories/declarations";
import { programOf } from "./scenario-fixture";

const at = { organizationSlug: "acme", databaseName: "orders" };

type Settings = Readonly<Record<string, string | boolean | readonly string[]>>;

/** A configuration beside a setting that somebody else has made, which the program does not set. */
async function besideOthers(own: Settings, others: object) {
  const here = await engineFixture();
  const stack = fakeStack({ api: here.api });
  const run = (settings: Settings, options: Partial<RunOptions> = {}) => {
    const limits = aConfiguration({ database: dbIdOf("orders"), ...settings });
    return stack.run(programOf({ orders: aDatabaseNamed("orders"), limits }), { preview: false, ...options });
  };
  expect((await run(own)).failure).toBeUndefined();
  await here.outside.updateDatabaseConfiguration({ ...at, body: others });
  return {
    here,
    run,
    /** Runs an update whose request for the configuration meets the fault. */
    async failed(settings: Settings, fault: { reset: "before" } | { status: 403 }) {
      here.api.fault({ operation: "updateDatabaseConfiguration", ...fault, times: 5 });
      expect((await run(settings)).failure).toBeDefined();
      here.api.clearFaults();
    },
    /** Runs the next update, and returns what it changes and what the platform then has. */
    async next(settings: Settings, readsFirst: boolean) {
      const { changes, failure } = await run(settings, { readsFirst });
      expect(failure).toBeUndefined();
      return {
        changed: changes.flatMap(({ properties }) => properties.map((path) => path.split("[")[0])),
        configuration: await here.outside.retrieveDatabaseConfiguration(at),
      };
    },
    async deleteOutside() {
      const { orders = "" } = await here.databases();
      await here.deleteDatabase(orders);
    },
  };
}

const REMOVED: readonly { own: Settings; others: object; reset: object }[] = [
  { own: { allowedIps: ["10.0.0.1"] }, others: { size_limit: "1gb" }, reset: { allowed_ips: [] } },
  { own: { allowedIps: ["10.0.0.1"] }, others: {}, reset: { allowed_ips: [] } },
  { own: { sizeLimit: "2gb" }, others: { allowed_ips: ["10.0.0.1"] }, reset: { size_limit: "" } },
  { own: { blockWrites: true }, others: { size_limit: "1gb" }, reset: { block_writes: false } },
];
const FAILURES = [
  { failure: "met a lost request", fault: { reset: "before" }, isRestored: false },
  { failure: "was refused after a restore", fault: { status: 403 }, isRestored: true },
] as const;

const cases = REMOVED.flatMap((one) =>
  FAILURES.flatMap((other) => [true, false].map((isRead) => ({ ...one, ...other, isRead }))),
);

test.each(cases)(
  "resets $own beside $others after its removal $failure (read: $isRead)",
  async ({ own, others, reset, fault, isRestored, isRead }) => {
    const { failed, next, deleteOutside } = await besideOthers(own, others);
    if (isRestored) await deleteOutside();
    await failed({}, fault);
    const { changed, configuration } = await next({}, isRead);
    expect(changed).toEqual(Object.keys(own));
    expect(configuration).toMatchObject({ ...others, ...reset });
  },
);

test("applies a setting again that a restore has not brought back, and whose correction failed", async () => {
  const { failed, next, deleteOutside } = await besideOthers({ blockWrites: true }, { block_writes: false });
  await deleteOutside();
  await failed({ blockWrites: true }, { status: 403 });
  const { changed, configuration } = await next({ blockWrites: true }, false);
  expect(changed).toEqual(["blockWrites"]);
  expect(configuration).toMatchObject({ block_writes: true });
});

test("sends a default that the program sets for the first time, if nobody could look after a restore", async () => {
  const { here, failed, next, deleteOutside } = await besideOthers({}, { size_limit: "1gb" });
  await deleteOutside();
  here.api.fault({ operation: "retrieveDatabaseConfiguration", status: 403, times: 5 });
  await failed({ sizeLimit: "" }, { status: 403 });
  const { changed, configuration } = await next({ sizeLimit: "" }, false);
  expect(changed).toEqual(["sizeLimit"]);
  expect(configuration).toMatchObject({ size_limit: "" });
});
