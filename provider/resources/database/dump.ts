import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isRefusal, messageOf, Refusal } from "../../../kit/refusal";
import type { PlatformContext } from "../../platform";
import { dumpEmpty, dumpMissing, dumpNotFile, dumpUnreadable, uploadFailed } from "./messages";

/** Returns the reason why the file cannot be used as a dump, or `undefined` if it can. */
export async function dumpProblem(path: string): Promise<string | undefined> {
  const whole = resolve(path);
  try {
    const file = await stat(whole);
    if (!file.isFile()) return dumpNotFile(whole);
    return file.size === 0 ? dumpEmpty(whole) : undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return code === "ENOENT" ? dumpMissing(whole) : dumpUnreadable(whole, code ?? messageOf(cause));
  }
}

/**
 * Uploads a dump file and returns the address from which the platform can create a database.
 *
 * @throws Refusal if the upload fails. The error never says that a database may have been created, because a failed
 *   upload creates none.
 */
export async function uploadDump(path: string, { platform: { api } }: PlatformContext): Promise<string> {
  const whole = resolve(path);
  try {
    const file = new File([await openAsBlob(whole)], basename(whole));
    return (await api.uploadDump({ body: { file } })).dump_url;
  } catch (cause) {
    throw new Refusal(isRefusal(cause) ? cause.kind : "invalid", {
      ...uploadFailed(whole, messageOf(cause)),
      cause,
    });
  }
}
