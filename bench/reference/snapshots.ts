import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { control } from "../../tools/reference";
import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { writeSeed } from "./seed";
import { ITEMS, Server } from "./server";

const DATABASES = 100;

const TESTS = 200;
const TESTED = 10;
const FEW_ROWS = ITEMS.replace("n < 1000", "n < 100");

/** Measures saves and loads of many rows in a file, and a suite of tests that begin with a load or with a reset. */
export async function snapshots({ folder, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const serve = (data: string, seed: string): Promise<Server> =>
    Server.start(programs, "--sql", "--data", join(folder, data), "--seed", seed);
  const many = await serve("many.db", writeSeed(folder, DATABASES));
  const all = await Rows.of(many);
  await all.sequence(ITEMS);
  const { suite, seed } = suiteSeed(folder);
  const tested = await serve("tested.db", seed);
  const few = await Rows.of(tested);
  await snapshot(tested, "", { name: suite });

  for (let round = 0; round < rounds; round++) {
    const name = `round-${round}`;
    figures.add("reference API: save a snapshot of 100 databases", {
      ours: await milliseconds(() => snapshot(many, "", { name })),
    });
    // A load also replaces databases that are open and were changed.
    await all.sequence("insert into items (name) values ('changed')");
    figures.add("reference API: load a snapshot of 100 databases", {
      ours: await milliseconds(() => snapshot(many, `/${name}/load`)),
    });
    const load = () => snapshot(tested, `/${suite}/load`);
    const reset = async () => {
      await tested.reset();
      await few.renew();
    };
    const floor = (await milliseconds(() => runSuite(few, reset))) / 1000;
    await load();
    await few.renew();
    figures.add("reference API: 200 tests that load a snapshot first, against a reset", {
      ours: (await milliseconds(() => runSuite(few, load))) / 1000,
      floor,
    });
  }
  await many.end();
  await tested.end();
}

async function runSuite(rows: Rows, before: () => Promise<unknown>): Promise<void> {
  for (let test = 0; test < TESTS; test++) {
    await before();
    await rows.ask(test % TESTED, "insert into items (name) values ('tested')");
    const answer = await rows.ask((test + 1) % TESTED, "select count(*) from items");
    if (!JSON.stringify(answer).includes('"100"'))
      throw new Error(`a test found other rows: ${JSON.stringify(answer)}`);
  }
}

/** Writes a seed whose databases have rows. */
function suiteSeed(folder: string): { readonly suite: string; readonly seed: string } {
  const seed = {
    users: [{ username: "ada" }],
    organizations: [
      {
        slug: "acme",
        members: [{ username: "ada", role: "owner" }],
        groups: [{ name: "default" }],
        databases: Array.from({ length: TESTED }, (_, number) => ({ name: `database-${number}`, sql: FEW_ROWS })),
      },
    ],
  };
  const path = join(folder, "suite.yaml");
  writeFileSync(path, JSON.stringify(seed));
  return { suite: "suite", seed: path };
}

const snapshot = (server: Server, path: string, body?: object): Promise<unknown> =>
  control(server.ready, "POST", `snapshots${path}`, body);

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function tokenOn(server: Server): Promise<string> {
  const group = server.databases.replace(/databases$/, "groups/default");
  return ((await server.ask(`${group}/auth/tokens`, {})) as { jwt: string }).jwt;
}

/** Sends SQL to the databases of a server. */
class Rows {
  private constructor(
    private readonly server: Server,
    private readonly ids: readonly string[],
    private token: string,
  ) {}

  static async of(server: Server): Promise<Rows> {
    const { databases } = (await server.ask(`${server.databases}?limit=1000`)) as { databases: { DbId: string }[] };
    const ids = databases.map(({ DbId }) => DbId);
    return new Rows(server, ids, await tokenOn(server));
  }

  /** Replaces the token, which a reset revokes. */
  async renew(): Promise<void> {
    this.token = await tokenOn(this.server);
  }

  ask(database: number, sql: string): Promise<unknown> {
    return this.#send(this.ids[database] ?? "", { type: "execute", stmt: { sql } });
  }

  /** Runs a script in all databases. */
  async sequence(sql: string): Promise<void> {
    await Promise.all(this.ids.map((id) => this.#send(id, { type: "sequence", sql })));
  }

  async #send(id: string, request: object): Promise<unknown> {
    return this.server.ask(`/sql/${id}/v3/pipeline`, { requests: [request, { type: "close" }] }, this.token);
  }
}
