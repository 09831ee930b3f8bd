import type { AccessScope } from "../credentials/access-scope";
import { checkedColumns } from "../store/columns";
import type { DumpRow, State } from "../store/schema";
import type { Operations } from "./operation";

/** Dumps. The store keeps only a dump's size; the SQL server, if present, keeps the rows. */
export const dumps = {
  uploadDump: {
    load: ({ body }, { contents, now }) => contents.load(body.file, now),
    async handle({ body }, { state, now, ids, accessScope, address, contents }) {
      const { id: organization_id, slug } = accessScope.organization;
      const id = await ids.uuid(state);
      await addDump(state, { id, organization_id, size_bytes: body.file.size, created_at: now.toISOString() });
      await contents?.keepDump(state, body.file, id);
      return { dump_url: new URL(`/v1/organizations/${slug}/databases/dumps/${id}`, address).href };
    },
    audit: ({ request: { body } }) => ({ code: "db-dump-upload", data: { size_bytes: body.file.size } }),
  },
} satisfies Partial<Operations>;

const OWN = /^\/v1\/organizations\/[^/]+\/databases\/dumps\/([^/]+)$/;

/**
 * Returns the id of a dump that was uploaded to this server, or `undefined` for any other URL. The host name of the URL
 * does not matter.
 */
export const dumpIdOf = (url: string): string | undefined =>
  URL.canParse(url) ? OWN.exec(new URL(url).pathname)?.[1] : undefined;

async function addDump(state: State, dump: DumpRow): Promise<void> {
  await state.insertInto("dumps").values(checkedColumns(dump)).execute();
}

export const findDump = (state: State, { organization }: AccessScope, id: string): Promise<DumpRow | undefined> =>
  state
    .selectFrom("dumps")
    .selectAll()
    .where("organization_id", "=", organization.id)
    .where("id", "=", id)
    .executeTakeFirst();
