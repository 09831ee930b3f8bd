import { changeDatabase } from "../store/databases";
import { addDump } from "../store/dumps";
import { databaseNamed } from "./database";
import type { Handlers } from "./handler";

/** Handlers for dumps. Only the size of a dump is stored, because this server has no SQL engine to run the dump. */
export const dump: Pick<Handlers, "uploadDump" | "seedDatabase"> = {
  async uploadDump({ body }, { state, now, ids, accessScope, address }) {
    const { id: organization_id, slug } = accessScope.organization;
    const id = await ids.uuid(state);
    await addDump(state, { id, organization_id, size_bytes: body.file.size, created_at: now.toISOString() });
    return { dump_url: new URL(`/v1/organizations/${slug}/databases/dumps/${id}`, address).href };
  },

  async seedDatabase({ params, body }, context) {
    const { id } = await databaseNamed(params.databaseName, context);
    await changeDatabase(context.state, id, { storage_bytes: body.file.size });
    return {};
  },
};

const OWN = /^\/v1\/organizations\/[^/]+\/databases\/dumps\/([^/]+)$/;

/**
 * Returns the id of a dump that was uploaded to this server, or `undefined` for any other URL. The host name of the URL
 * does not matter.
 */
export const dumpIdOf = (url: string): string | undefined =>
  URL.canParse(url) ? OWN.exec(new URL(url).pathname)?.[1] : undefined;
