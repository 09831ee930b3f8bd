import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isRefusal, messageOf, Refusal } from "../../../platform/client/refusal";
import type { ResourceContext } from "../../resource/context";
import { dumpEmpty, dumpMissing, dumpNotFile, dumpUnreadable, uploadFailed } from "./messages";

/** Returns why no dump can be read from the path, or `undefined`. */
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
 * Uploads a file as a stream and returns the address from which a database can be created.
 *
 * @throws Refusal, never an uncertain one, because a failed upload creates no database.
 */
export async function uploadDump(path: string, { client, organization }: ResourceContext): Promise<string> {
  const whole = resolve(path);
  try {
    const file = new File([await openAsBlob(whole)], basename(whole));
    return (await client.uploadDump({ organizationSlug: organization.slug, body: { file } })).dump_url;
  } catch (cause) {
    throw new Refusal(isRefusal(cause) ? cause.kind : "invalid", {
      ...uploadFailed(whole, messageOf(cause)),
      cause,
    });
  }
}
