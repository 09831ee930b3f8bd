import { get, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { Place } from "./sql";

/** Requests the dump of a database. */
export const dumpOf = ({ url, token }: Place): Promise<Response> =>
  fetch(`${url}dump`, { headers: { Authorization: `Bearer ${token}` } });

/** Requests the dump of a database, and reads nothing of it until the test does. */
export async function unreadDumpOf({ url, token }: Place): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}dump`, { headers: { Authorization: `Bearer ${token}` }, agent: false }, resolve).on("error", reject);
  });
  onTestFinished(() => void response.destroy());
  return response;
}

/** Uploads a SQLite file to a database that has not been used. */
export async function uploadFile({ url, token }: Place, file: Uint8Array<ArrayBuffer>): Promise<void> {
  const put = async (path: string, body: string | Uint8Array<ArrayBuffer>) => {
    const init = { method: "PUT", headers: { Authorization: `Bearer ${token}` }, body };
    const answer = await fetch(`${url}v2/upload/${path}`, init);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { readonly upload_id: string };
  };
  const { upload_id: id } = await put("start", JSON.stringify({ db_size_bytes: file.length }));
  await put(`${id}/chunk/0`, file);
  await put(`${id}/finalize`, "");
}
