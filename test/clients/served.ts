import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Seed } from "../../platform/reference/seed/seed";
import { type ApiCaller, calling } from "../reference/calling";
import { type ServerProcess, startProcess } from "../reference/shared/process";
import { NOON } from "../reference/world";

/** A running server, known to the tests only through the output of `serve --json`. */
export interface ServedPlatform extends ServerProcess {
  readonly owner: ApiCaller;
  readonly slug: { readonly organizationSlug: string };
  advance(seconds: number): Promise<void>;
  /** Verifies a token. @throws Error with the reason if the database rejects the token. */
  verifySqlToken(token: string, database: string): Promise<unknown>;
}

/** Starts one server for all tests in a file. Before each test, the server is reset to the seed. */
export function served(seed: Seed): () => ServedPlatform {
  let printed: ServerProcess;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "served-"));
    const file = join(folder, "seed.yaml");
    await writeFile(file, JSON.stringify(seed));
    printed = await startProcess(":memory:", "--seed", file, "--now", NOON);
  });
  beforeEach(() => control("reset"));
  afterAll(async () => {
    await printed.kill();
    await rm(folder, { recursive: true });
  });

  async function control(path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${printed.url}/_reference/${path}`, { method: "POST", body: JSON.stringify(body) });
    const answered = await answer.json();
    if (!answer.ok) throw new Error(answered.error);
    return answered;
  }

  return () => ({
    ...printed,
    owner: calling(printed),
    slug: { organizationSlug: printed.organization },
    advance: async (seconds) => void (await control("clock/advance", { seconds })),
    verifySqlToken: (token, database) => control("sql-tokens/verify", { token, database }),
  });
}
