import { expect, test } from "vitest";
import * as z from "zod";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { decodeStructValues } from "../../kit/plugin/protocol/values";
import { ResourceValues } from "../../kit/plugin/requests";
import type { Declared } from "../fake-engine/declared-program";
import { FakeEngine } from "../fake-engine/fake-engine";

interface Account {
  readonly user: string;
  readonly recovery: string | undefined;
}

/** A platform that shows the recovery code of an account, but neither its password nor its key. */
interface Accounts {
  readonly accounts: Map<string, Account>;
  readonly sent: Readonly<Record<string, unknown>>[];
}

const { field, resource, provider } = kit<Accounts>();

const unseen = { describeValue: (value: string | undefined) => (value === undefined ? "none" : "another one") };

const account = resource({
  type: "Account",
  description: "An account.",
  inputs: {
    user: field.replaces(z.string(), { describe: "The user." }),
    recovery: field.replaces(z.string().optional(), { describe: "The recovery code.", secret: () => true }),
    password: field.writeOnly(z.string().optional(), { describe: "The password.", ...unseen }),
    key: field.writeOnlyReplaces(z.string().optional(), { describe: "The key.", ...unseen }),
  },
  outputs: {},
  read: async (id, { platform: { accounts } }) => accounts.get(id),
  async create({ user, recovery, ...rest }, { platform: { accounts, sent } }) {
    const [id, made] = [`${accounts.size + 1}`, { user, recovery }];
    accounts.set(id, made);
    sent.push({ ...made, ...rest });
    return { id, state: made };
  },
  async update(_id, changes, { platform: { sent } }) {
    sent.push(changes);
    return {};
  },
  async delete(id, { platform: { accounts } }) {
    accounts.delete(id);
  },
});

/** A stack with one account. `up` returns what it has sent to the platform. */
function stack() {
  const platform: Accounts = { accounts: new Map(), sent: [] };
  const accounts = provider({
    name: "accounts",
    version: "1.0.0",
    settings: { description: "Accounts.", schema: z.object({}) },
    resources: [account],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const engine = new FakeEngine(accounts);
  const said: string[] = [];
  return {
    ...{ platform, engine, said },
    async up(args: Declared["args"], options: Partial<Declared> = {}) {
      const log = (_: string, message: string) => said.push(message);
      const { signal } = new AbortController();
      const context = new Instance(accounts, {}, {}).context({ urn: "", signal, log });
      await engine.up(new Map([["ada", { type: "Account", args: { user: "ada", ...args }, ...options }]]), context);
      return platform.sent.splice(0);
    },
  };
}

test("sends a value that the platform never shows at creation, and later only if the program changes it", async () => {
  const { up } = stack();
  expect(await up({ password: "first", key: "a" })).toMatchObject([{ password: "first", key: "a" }]);
  expect(await up({ password: "first", key: "a" })).toEqual([]);
  expect(await up({ password: "second", key: "a" })).toEqual([{ password: "second" }]);
  expect(await up({ password: "second", key: "a" })).toEqual([]);
  expect(await up({ password: "second", key: "b" })).toMatchObject([{ user: "ada", key: "b" }]);
});

test("replaces no imported object for the first value of an argument that the platform never shows", async () => {
  const { platform, up, said } = stack();
  const ada = { user: "ada", recovery: undefined };
  platform.accounts.set("7", ada);
  expect(await up({ password: "first", key: "a" }, { import: "7" })).toEqual([{ password: "first" }]);
  expect(await up({ password: "first", key: "a" })).toEqual([]);
  expect(platform.accounts.get("7")).toBe(ada);
  expect(await up({ password: "first", key: "b" })).toMatchObject([{ user: "ada", key: "b" }]);
  expect(said).toEqual([]);
});

test("hides a secret that the platform shows in a message about drift", async () => {
  const { platform, up, said } = stack();
  await up({ recovery: "recovery-1" });
  platform.accounts.set("1", { user: "ada", recovery: "recovery-2" });
  await up({ recovery: "recovery-1" });
  expect(said).toEqual([expect.stringContaining("`recovery` of account (1) differs")]);
  expect(said.join()).not.toContain("recovery-");
});

test("encodes as a secret what only the platform has set", () => {
  const values = new ResourceValues(account, { type: "accounts:index:Account", urn: "" });
  expect([...decodeStructValues(values.encode({ user: "ada", recovery: "recovery-1" })).secrets]).toEqual(["recovery"]);
});
