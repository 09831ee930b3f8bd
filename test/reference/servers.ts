import { type OpenReferenceApi, type ReferenceApiOptions, startReferenceApi } from "../../platform/reference/server";
import { type Data, engine, freshData } from "./data";

/**
 * Starts a reference API. Without `data`, creates new data in the storage engine of the current test run. Unless the
 * data is in memory, starts two servers on the same data, and `url` returns their addresses in turn. The servers share
 * their journal and faults, which each process normally keeps for itself. With `host`, starts only one server, because
 * servers on addresses other than loopback need a key that cannot be shared.
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
