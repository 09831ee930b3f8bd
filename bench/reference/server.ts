import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { control, type ReadyMessage, readyMessageOf } from "../../tools/reference";
import type { Programs } from "./programs";

/** The SQL that creates a table with 1,000 rows. */
export const ITEMS = `create table items (id integer primary key, name text);
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000)
  insert into items select n, 'item ' || n from numbers`;

export class Server {
  private constructor(
    readonly ready: ReadyMessage,
    private readonly process: ChildProcess,
  ) {}

  static async start({ ours, meter }: Programs, ...options: readonly string[]): Promise<Server> {
    const child = fork(ours, ["api", "serve", "--json", ...options], {
      execArgv: ["--require", meter],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
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
