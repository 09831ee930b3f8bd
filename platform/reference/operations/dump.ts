import { changeDatabase } from "../store/databases";
import { addDump } from "../store/dumps";
import { databaseNamed } from "./database";
import type { Handlers, OrganizationContext } from "./handler";

/** Handlers for dumps. The store keeps only a dump's size; the SQL server, if present, keeps the rows. */
export const dump: Pick<Handlers, "uploadDump" | "seedDatabase"> = {
  async uploadDump({ body }, { state, now, ids, accessScope, address, contents }) {
    const { id: organization_id, slug } = accessScope.organization;
    const id = await ids.uuid(state);
    await contents?.keepDump(body.file, id);
    await addDump(state, { id, organization_id, size_bytes: body.file.size, created_at: now.toISOString() });
    return { dump_url: new URL(`/v1/organizations/${slug}/databases/dumps/${id}`, address).href };
  },

  async seedDatabase({ params, body }, context) {
    const { id } = await databaseNamed(params.databaseName, context);
    await changeDatabase(context.state, id, { storage_bytes: body.file.size });
    return {};
  },
};

type Request<Name extends keyof typeof dump> = Parameters<Handlers[Name]>[0];

/**
 * Functions that prepare to load a dump, by operation. They run after authorization in a read transaction, and return a
 * function that loads the dump. The loading runs before the handler and outside any transaction, because it can take a
 * long time.
 */
export const loading = {
  uploadDump:
    async ({ body }: Request<"uploadDump">, { contents, now }: OrganizationContext) =>
    () =>
      contents?.load(body.file, now),

  async seedDatabase({ params, body }: Request<"seedDatabase">, context: OrganizationContext) {
    const { state, now, contents } = context;
    const database = await databaseNamed(params.databaseName, context);
    return contents?.fill(state, database, body.file, now);
  },
};

const OWN = /^\/v1\/organizations\/[^/]+\/databases\/dumps\/([^/]+)$/;

/**
 * Returns the id of a dump that was uploaded to this server, or `undefined` for any other URL. The host name of the URL
 * does not matter.
 */
export const dumpIdOf = (url: string): string | undefined =>
  URL.canParse(url) ? OWN.exec(new URL(url).pathname)?.[1] : undefined;
