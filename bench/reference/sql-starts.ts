import { join } from "node:path";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { writeSeed } from "./seed";
import { Server } from "./server";
import { fastestStarts } from "./starts";

const DATABASES = 1_000;
const ROWS = `create table items (id integer primary key, name text);
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100)
  insert into items select n, 'item ' || n from numbers`;

/**
 * Measures startup with many databases that contain rows. The number of databases should hardly matter, because the
 * server should open a database file only when it is needed.
 */
export async function sqlStarts({ folder, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const data = ["--data", join(folder, "rows.db")] as const;
  const serve = [programs.ours, "api", "serve", "--json", ...data] as const;
  const server = await Server.start(programs, "--sql", ...data, "--seed", writeSeed(folder, DATABASES));
  await fill(server);
  await server.end();
  for (let round = 0; round < rounds; round++)
    figures.add(
      "reference API: start with SQL and 1,000 databases with rows, against without SQL",
      await fastestStarts(
        () => [...serve, "--sql"],
        () => serve,
      ),
    );
}

async function fill(server: Server): Promise<void> {
  const { databases } = (await server.ask(`${server.databases}?limit=${DATABASES}`)) as {
    databases: { DbId: string }[];
  };
  const group = server.databases.replace(/databases$/, "groups/default");
  const { jwt } = (await server.ask(`${group}/auth/tokens`, {})) as { jwt: string };
  const requests = [{ type: "sequence", sql: ROWS }, { type: "close" }];
  await Promise.all(databases.map(({ DbId }) => server.ask(`/sql/${DbId}/v3/pipeline`, { requests }, jwt)));
}
