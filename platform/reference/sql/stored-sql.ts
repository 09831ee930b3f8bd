import { ApiError } from "../refusal";
import { sqlNotFound, TEXTS_TOO_LARGE } from "./messages";

/** The maximum number of characters of SQL that a client can store on one stream or socket. */
const MOST_STORED = 1024 * 1024;

/** The maximum number of characters of stored SQL that the statements of one request can use. */
const MOST_USED = 32 * 1024 * 1024;

/** SQL that a client has stored on a stream or a socket, by the id that the client chose. */
export class StoredSql {
  /** At most `MOST_STORED` texts, because each counts as one character or more. */
  readonly #texts = new Map<number, string>();
  #size = 0;

  /**
   * Stores a text, and replaces an earlier one with the same id, as the service does but not Hrana 3.
   *
   * @throws ApiError if the stored texts become too large.
   */
  store(id: number, text: string): void {
    this.remove(id);
    const size = this.#size + sizeOfSql(text);
    if (size > MOST_STORED) throw new ApiError(400, TEXTS_TOO_LARGE);
    this.#texts.set(id, text);
    this.#size = size;
  }

  remove(id: number): void {
    const known = this.#texts.get(id);
    if (known !== undefined) this.#size -= sizeOfSql(known);
    this.#texts.delete(id);
  }

  clear(): void {
    this.#texts.clear();
    this.#size = 0;
  }

  /**
   * Returns a function that returns a stored text. It throws an `ApiError` if there is no such text, or if the texts
   * that one request uses are too large in total, because each use is sent to the engine in full.
   */
  reader(): (id: number) => string {
    let used = 0;
    return (id) => {
      const text = this.#texts.get(id);
      if (text === undefined) throw new ApiError(400, sqlNotFound({ sqlId: id }));
      used += text.length;
      if (used > MOST_USED) throw new ApiError(400, TEXTS_TOO_LARGE);
      return text;
    };
  }
}

/** Counts an empty text as well, because it also takes memory. */
const sizeOfSql = (text: string): number => Math.max(text.length, 1);
