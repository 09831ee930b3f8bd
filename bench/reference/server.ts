import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { control, type ReadyMessage, readyMessageOf } from "../../tools/reference";
import type { Answered, Load } from "./load";
import type { Programs } from "./programs";

export const CONNECTIONS = 32;

/** The SQL that creates a table with 1,000 rows. */
export const ITEMS = `create table items (id integer primary key, name text);
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000)
  insert into items select n, 'item ' || n from numbers`;

/** The body of a request that creates this table. */
export const SCRIPT = { requests: [{ type: "sequence", sql: ITEMS }, { type: "close" }] };

export class Server {
  private constructor(
    /** The address and the credentials that our server prints. The minimal servers print only their address. */
    readonly ready: ReadyMessage,
    private readonly process: ChildProcess,
  ) {}

  static async start({ meter }: Programs, program: string, ...args: readonly string[]): Promise<Server> {
    const child = fork(program, args, { execArgv: ["--require", meter], stdio: ["ignore", "pipe", "inherit", "ipc"] });
    process.once("exit", () => child.kill());
    return new Server(await readyMessageOf(child), child);
  }

  get pid(): number {
    return this.process.pid ?? Number.NaN;
  }

  get databases(): string {
    return `/v1/organizations/${this.ready.organization}/databases`;
  }

  async ask(path: string, body?: object, token = this.ready.apiToken): Promise<unknown> {
    const answer = await fetch(this.ready.url + path, {
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async create(name: string): Promise<string> {
    const { database } = (await this.ask(this.databases, { name, group: "default" })) as { database: { DbId: string } };
    return database.DbId;
  }

  /** Creates a database with the table of `ITEMS`. Returns the path for its SQL, and a token. */
  async createItems(): Promise<{ readonly path: string; readonly jwt: string }> {
    const path = `/sql/${await this.create("orders")}/v3/pipeline`;
    const { jwt } = (await this.ask(`${this.databases}/orders/auth/tokens`, {})) as { jwt: string };
    await this.ask(path, SCRIPT, jwt);
    return { path, jwt };
  }

  async reset(): Promise<void> {
    await control(this.ready, "POST", "reset");
  }

  /** Returns the CPU time that the server uses during `work`, in milliseconds. */
  async processorTime(work: () => Promise<void>): Promise<number> {
    const before = await this.#used();
    await work();
    return ((await this.#used()) - before) / 1000;
  }

  async end(): Promise<void> {
    const end = once(this.process, "exit");
    this.process.kill();
    await end;
  }

  async #used(): Promise<number> {
    const answer = once(this.process, "message");
    this.process.send("processor time");
    const [microseconds] = await answer;
    return microseconds as number;
  }
}

/** Runs the load generator in a separate process, and returns the number of responses and how long they took. */
export async function send({ load: program }: Programs, load: Load): Promise<Answered> {
  const child = fork(program);
  child.send(load);
  const failed = once(child, "exit").then(() => Promise.reject(new Error("the load generator has failed")));
  const [answered] = await Promise.race([once(child, "message"), failed]);
  return answered as Answered;
}
