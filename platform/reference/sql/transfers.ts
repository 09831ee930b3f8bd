import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { ApiError } from "../refusal";
import { assertFullSqlAccess, type SqlAccess } from "./access";
import type { DatabaseRows } from "./database-rows";
import { FILE } from "./engine/database-files";
import { SqlFailure } from "./engine/failure";
import { PAGE } from "./engine/limits";
import type { Folder } from "./folder";
import { fileInvalid, fileTooLarge, hasRows, UPLOAD_INCOMPLETE, UPLOAD_UNKNOWN } from "./messages";
import type { Pool } from "./pool/pool";
import { readBody } from "./protocol";

/** Size in bytes of each part of an uploaded file, except the last. */
const CHUNK = 16 * 1024 * 1024;

const Start = z.object({ db_size_bytes: z.int().min(1) });

interface Upload {
  /** DbId. */
  readonly database: string;
  readonly folder: string;
  readonly bytes: number;
}

interface Transfer {
  readonly admitted: SqlAccess & { readonly now: Date };
  readonly body: () => Promise<Buffer>;
}

type Answer = { readonly text: string | Buffer; readonly type: string };

/** Handles the requests with which the official CLI uploads and exports whole database files. */
export class Transfers {
  readonly #folder: Folder;
  readonly #pool: Pool;
  readonly #rows: DatabaseRows;
  /** Unfinished uploads, by id: at most one for each database. */
  readonly #uploads = new Map<string, Upload>();

  constructor(folder: Folder, pool: Pool, rows: DatabaseRows) {
    this.#folder = folder;
    this.#pool = pool;
    this.#rows = rows;
  }

  /** Returns the handler for a request, or `undefined` if the request is not part of an upload or export. */
  route(method: string, path: string): ((transfer: Transfer) => Promise<Answer>) | undefined {
    if (method === "GET" && path === "/info") return async () => jsonAnswer({ current_generation: GENERATION });
    if (method === "GET" && path === `/export/${GENERATION}`) return (transfer) => this.#export(transfer);
    if (method !== "PUT") return undefined;
    if (path === "/v2/upload/start") return (transfer) => this.#start(transfer);
    const [, id = "", chunk] = /^\/v2\/upload\/([\w-]+)\/(?:chunk\/(\d{1,6})|finalize)$/.exec(path) ?? [];
    if (id === "") return undefined;
    return (transfer) => (chunk === undefined ? this.#finish(id, transfer) : this.#write(id, Number(chunk), transfer));
  }

  async #export({ admitted: { database, rights, now } }: Transfer): Promise<Answer> {
    assertFullSqlAccess(rights, "reads");
    const to = this.#folder.ofLoading();
    const target = this.#rows.target(database.id, now.toISOString());
    await this.#pool.run({ kind: "copy", ...target, at: undefined, to });
    try {
      return { text: await readFile(join(to, FILE)), type: "application/octet-stream" };
    } finally {
      await this.#folder.remove(to);
    }
  }

  async #start({ admitted: { database, rights, pages }, body }: Transfer): Promise<Answer> {
    assertFullSqlAccess(rights, "writes");
    const { db_size_bytes: bytes } = await readBody(Start, body);
    if (bytes > pages * PAGE) throw new ApiError(400, fileTooLarge({ mostBytes: pages * PAGE }));
    this.#assertEmpty(database);
    await this.#forget(database.id);
    const folder = this.#folder.ofLoading();
    await this.#folder.ensure(folder);
    await (await open(join(folder, FILE), "w")).close();
    const id = randomUUID();
    this.#uploads.set(id, { database: database.id, folder, bytes });
    return jsonAnswer({ chunk_size: CHUNK, upload_id: id });
  }

  async #write(id: string, chunk: number, transfer: Transfer): Promise<Answer> {
    const { folder, bytes } = this.#uploadOf(id, transfer);
    const part = await transfer.body();
    if (chunk * CHUNK + part.length > bytes) throw new ApiError(400, UPLOAD_INCOMPLETE);
    const file = await open(join(folder, FILE), "r+");
    await file.write(part, 0, part.length, chunk * CHUNK).finally(() => file.close());
    return jsonAnswer({});
  }

  async #finish(id: string, transfer: Transfer): Promise<Answer> {
    const { folder, bytes } = this.#uploadOf(id, transfer);
    const { database, now } = transfer.admitted;
    if ((await stat(join(folder, FILE))).size !== bytes) throw new ApiError(400, UPLOAD_INCOMPLETE);
    this.#uploads.delete(id);
    try {
      // Checks the file by loading an empty dump into it. Loading fails if the file is not a database.
      const target = { ...this.#rows.target("", now.toISOString()), folder };
      const job = { kind: "load", ...target, text: "" } as const;
      const loaded = await this.#pool.run(job);
      await this.#pool.release(folder);
      if (!this.#folder.replaceEmpty(this.#folder.of(database.id), folder))
        throw new ApiError(409, hasRows({ name: database.name }));
      this.#rows.note(database.id, loaded);
    } catch (thrown) {
      await this.#pool.release(folder);
      await this.#folder.remove(folder);
      throw thrown instanceof SqlFailure ? new ApiError(400, fileInvalid({ reason: thrown.message })) : thrown;
    }
    return jsonAnswer({});
  }

  /** Discards the unfinished uploads for a database. */
  async #forget(database: string): Promise<void> {
    for (const [id, upload] of this.#uploads) {
      if (upload.database !== database) continue;
      this.#uploads.delete(id);
      await this.#folder.remove(upload.folder);
    }
  }

  /** Discards all unfinished uploads. */
  async clear(): Promise<void> {
    const uploads = [...this.#uploads.values()];
    this.#uploads.clear();
    for (const { folder } of uploads) await this.#folder.remove(folder);
  }

  #uploadOf(id: string, { admitted }: Transfer): Upload {
    const upload = this.#uploads.get(id);
    if (upload?.database !== admitted.database.id) throw new ApiError(404, UPLOAD_UNKNOWN);
    return upload;
  }

  /** Checks that a database has not been used, because an uploaded file would replace all its rows. */
  #assertEmpty({ id, name }: { id: string; name: string }): void {
    if (existsSync(join(this.#folder.of(id), FILE))) throw new ApiError(409, hasRows({ name }));
  }
}

/**
 * The generation number that clients request in an export. Each database has a single generation, which contains all
 * its rows.
 */
const GENERATION = 1;

const jsonAnswer = (value: object): Answer => ({ text: JSON.stringify(value), type: "application/json" });
