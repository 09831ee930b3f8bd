import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Operation } from "../../platform/contract/api";
import type { Fault } from "../../platform/reference/faults/faults";
import type { JournalEntry } from "../../platform/reference/journal/journal";
import { HttpConnection } from "../../provider/client/http/client";
import type { Client } from "../../provider/client/organization-client";
import {
  control,
  environmentFor,
  type ReadyMessage,
  type ReferenceServer,
  readyMessageOf,
  startReference,
} from "../../tools/reference";
import { SEED } from "./seed";

/** A reference API in its own process. It can be killed and restarted with the same data and port. */
export class ReferenceProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), "dbplatform-platform-"));
  #server: ReferenceServer | undefined;
  #first: ReadyMessage | undefined;

  static async start(): Promise<ReferenceProcess> {
    const platform = new ReferenceProcess();
    onTestFinished(async () => {
      await platform.kill();
      rmSync(platform.#folder, { recursive: true, force: true });
    });
    writeFileSync(join(platform.#folder, "seed.yaml"), JSON.stringify(SEED));
    await platform.run();
    return platform;
  }

  async run(): Promise<void> {
    const data = ["--data", join(this.#folder, "platform.db")];
    const again = this.#first && ["--port", new URL(this.#first.url).port];
    this.#server = startReference(...data, ...(again ?? ["--seed", join(this.#folder, "seed.yaml")]));
    const ready = await readyMessageOf(this.#server);
    this.#first ??= ready;
  }

  /** Kills the reference API, as if its machine had crashed. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const end = once(server, "exit");
    server.kill("SIGKILL");
    await end;
  }

  /** Address, organization and owner's token from the first start. All three stay the same after a restart. */
  get told(): ReadyMessage {
    if (!this.#first) throw new Error("the platform was not started");
    return this.#first;
  }

  get environment(): Record<string, string> {
    return environmentFor(this.told);
  }

  get outside(): Client {
    const { url, apiToken } = this.told;
    const connection = new HttpConnection({ baseUrl: url, apiToken, userAgent: "tests" });
    return connection.client({ signal: new AbortController().signal });
  }

  fault = (rule: Fault): Promise<unknown> => control(this.told, "POST", "faults", rule);

  clearFaults = (): Promise<unknown> => control(this.told, "DELETE", "faults");

  async journal(): Promise<readonly JournalEntry[]> {
    const { entries } = (await control(this.told, "GET", "journal")) as { entries: JournalEntry[] };
    return entries;
  }

  /** Waits until each operation has exactly the wanted number of hanging calls. */
  async hangs(wanted: Partial<Record<Operation, number>>): Promise<void> {
    const hanging = async () => {
      const found: Partial<Record<NonNullable<JournalEntry["operation"]>, number>> = {};
      for (const { operation, fault } of await this.journal())
        if (operation && fault?.hang) found[operation] = (found[operation] ?? 0) + 1;
      return found;
    };
    await expect.poll(hanging, { timeout: 30_000 }).toEqual(wanted);
  }

  verify = (token: unknown, database: unknown): Promise<unknown> =>
    control(this.told, "POST", "sql-tokens/verify", { token, database });
}
