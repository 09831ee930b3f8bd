import { type OpenReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../platform/reference/server";
import { type Data, engine, freshData } from "./data";

/**
 * A reference API on fresh data of this project's engine. Where data can be shared, it is two servers, each with a
 * connection of its own, that pass for one: every time its address is asked for, it is that of the other one. What a
 * process keeps for itself (journal, faults) they have together; the key that is asked for off loopback cannot be
 * shared, so there is only one server then.
 */
export async function startServers(options: ReferenceApiOptions = {}): Promise<OpenReferenceApi> {
  const data: Pick<Data, "place" | "remove"> =
    options.data === undefined ? await freshData() : { place: options.data, remove: async () => {} };
  const first = await startReferenceApi({ ...options, data: data.place });
  const servers = [first];
  if (engine !== "memory" && options.host === undefined)
    servers.push(await startReferenceApi({ ...options, data: data.place }, first.own));
  let asked = 0;
  return {
    ...first,
    get url() {
      asked += 1;
      return (servers[asked % servers.length] ?? first).url;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await data.remove();
    },
  };
}
