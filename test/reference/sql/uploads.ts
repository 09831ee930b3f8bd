import { expect } from "vitest";
import type { Place } from "./sql";

/** Sends a PUT request to the upload endpoint, as the official CLI does. */
export async function put({ url, token }: Place, below: string, body: string | Uint8Array<ArrayBuffer> = "") {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${url}v2/upload/${below}`, { method: "PUT", headers, body });
  return { status: answer.status, ...(await answer.json()) };
}

/** Uploads a file, as `turso db create --from-file` does, and returns the last response. */
export async function uploaded(place: Place, bytes: Uint8Array<ArrayBuffer>) {
  const { upload_id: id, chunk_size: size } = await put(
    place,
    "start",
    JSON.stringify({ db_size_bytes: bytes.length }),
  );
  for (let chunk = 0; chunk * size < bytes.length; chunk += 1)
    expect(await put(place, `${id}/chunk/${chunk}`, bytes.slice(chunk * size, (chunk + 1) * size))).toEqual({
      status: 200,
    });
  return put(place, `${id}/finalize`);
}
