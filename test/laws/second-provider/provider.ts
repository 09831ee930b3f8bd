import * as z from "zod";
import { kit } from "../../../kit/kit";
import { unlessAbsent } from "../../../kit/refusal";
import { Deleted } from "../../../kit/results";
import { D1, type Database } from "./client";

const { field, provider, resource } = kit<D1>();

const RECOVERABLE_MS = 7 * 24 * 3_600_000;
const restorableUntil = (deletedAt: string) => new Date(Date.parse(deletedAt) + RECOVERABLE_MS).toISOString();

const stateOf = ({ uuid, name, created_at, jurisdiction, read_replication }: Database) => ({
  name,
  jurisdiction,
  readReplication: read_replication.mode,
  databaseId: uuid,
  createdAt: created_at,
});

const database = resource({
  type: "Database",
  description:
    "A D1 database. If it is deleted outside of Pulumi, the next update restores it with its data, within seven days.",
  inputs: {
    name: field.replaces(z.string(), {
      describe: "Name of the database, unique in the account. Default: generated from the name of the resource.",
      valid: (name) =>
        /^[a-z0-9][a-z0-9-_]*$/.test(name) ? undefined : "must consist of lowercase letters, digits, `-` and `_`",
    }),
    jurisdiction: field.replaces(z.string().optional(), { describe: "Where the data must stay: `eu` or `fedramp`." }),
    readReplication: field.plain(z.enum(["auto", "disabled"]).optional(), {
      describe: "Whether the database has read replicas: `auto` or `disabled`. Default: `disabled`.",
      default: "disabled",
      isAlwaysShown: true,
    }),
  },
  outputs: {
    databaseId: field.output(z.uuid(), { describe: "UUID of the database." }),
    createdAt: field.output(z.iso.datetime(), { describe: "Time of the creation (RFC 3339)." }),
  },
  importing: {
    name: "orders",
    id: "<UUID>",
    description: "The id is the UUID of the database. Importing a deleted database restores it with its data.",
  },

  async read(id, { platform }) {
    const live = await platform.find(id).catch(unlessAbsent);
    if (live) return stateOf(live);
    const deleted = (await platform.all({ deleted: "true" })).find(({ uuid }) => uuid === id);
    if (!deleted?.deleted_at) return undefined;
    const { deleted_at: deletedAt } = deleted;
    return new Deleted(stateOf(deleted), { deletedAt, restorableUntil: restorableUntil(deletedAt) });
  },

  async create({ name, jurisdiction }, { platform }) {
    const made = await platform.create({ name, jurisdiction });
    return { id: made.uuid, state: stateOf(made) };
  },

  async update(id, { readReplication = "disabled" }, { platform }) {
    return stateOf(await platform.replicate(id, readReplication));
  },

  delete: (id, { platform }) => platform.remove(id),

  async *list({ platform, deleted }) {
    for (const { uuid, name } of await platform.all(deleted ? { deleted: "true" } : {})) yield { id: uuid, name };
  },

  named: {
    longest: () => 64,
    async find(name, { platform }) {
      const found = (await platform.all({ name })).find((one) => one.name === name);
      return found && { id: found.uuid, state: stateOf(found) };
    },
  },

  softDeleted: {
    brings: "with its data",
    renames: true,
    restore: async (id, { name }, { platform }) => stateOf(await platform.undelete(id, name)),
    async named(name, { platform }) {
      const deleted = (await platform.all({ name, deleted: "true" })).filter((one) => one.name === name);
      return deleted.map(({ uuid, deleted_at: deletedAt = "" }) => ({
        id: uuid,
        deletedAt,
        restorableUntil: restorableUntil(deletedAt),
      }));
    },
  },
});

const settings = z.object({
  account: z.string().describe("Id of the account. Default: the environment variable D1_ACCOUNT."),
  apiToken: z.string().describe("API token. Default: the environment variable D1_API_TOKEN."),
  baseUrl: z
    .string()
    .default("https://api.cloudflare.com/client/v4")
    .describe("Address of the API. Default: the environment variable D1_BASE_URL, then Cloudflare's."),
});

export const d1 = provider({
  name: "d1",
  version: "0.1.0",
  about: {
    displayName: "D1",
    description: "D1 databases of Cloudflare, with undelete.",
    keywords: ["kind/native", "category/database"],
    publisher: "The pulumi-dbplatform authors",
    license: "Apache-2.0",
  },
  settings: {
    description: "One account, and the token to manage its databases with.",
    schema: settings,
    environment: { account: "D1_ACCOUNT", apiToken: "D1_API_TOKEN", baseUrl: "D1_BASE_URL" },
    secrets: ["apiToken"],
  },
  resources: [database],
  connect: (access) => ({
    account: access.account,
    open: ({ signal }) => ({ platform: new D1(access, signal) }),
  }),
});
