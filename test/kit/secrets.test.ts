import { expect, test } from "vitest";
import * as z from "zod";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { decodeStructValues } from "../../kit/plugin/protocol/values";
import { ResourceValues } from "../../kit/plugin/requests";
import { FakeEngine } from "../fake-engine/fake-engine";

interface Account {
  readonly user: string;
  readonly recovery: string | undefined;
}

/** A platform that shows the recovery code of an account. */
type Accounts = Map<string, Account>;

const { field, resource, provider } = kit<Accounts>();

const account = resource({
  type: "Account",
  description: "An account.",
  inputs: {
    user: field.replaces(z.string(), { describe: "The user." }),
    recovery: field.replaces(z.string().optional(), { describe: "The recovery code.", secret: () => true }),
  },
  outputs: {},
  read: async (id, { platform }) => platform.get(id),
  async create({ user, recovery }, { platform }) {
    const [id, state] = [`${platform.size + 1}`, { user, recovery }];
    platform.set(id, state);
    return { id, state };
  },
  async delete(id, { platform }) {
    platform.delete(id);
  },
});

test("hides a secret that the platform shows in a message about drift", async () => {
  const platform: Accounts = new Map();
  const accounts = provider({
    name: "accounts",
    version: "1.0.0",
    settings: { description: "Accounts.", schema: z.object({}) },
    resources: [account],
    connect: () => ({ open: () => ({ platform }) }),
  });
  const engine = new FakeEngine(accounts);
  const said: string[] = [];
  const up = () => {
    const log = (_: string, message: string) => said.push(message);
    const context = new Instance(accounts, {}, {}).context({ urn: "", signal: new AbortController().signal, log });
    return engine.up(new Map([["ada", { type: "Account", args: { user: "ada", recovery: "recovery-1" } }]]), context);
  };
  await up();
  platform.set("1", { user: "ada", recovery: "recovery-2" });
  await up();
  expect(said).toEqual([expect.stringContaining("`recovery` of account (1) differs")]);
  expect(said.join()).not.toContain("recovery-");
});

test("encodes as a secret what only the platform has set", () => {
  const values = new ResourceValues(account, { type: "accounts:index:Account", urn: "" });
  expect([...decodeStructValues(values.encode({ user: "ada", recovery: "recovery-1" })).secrets]).toEqual(["recovery"]);
});
