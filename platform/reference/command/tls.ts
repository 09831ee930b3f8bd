import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { ReferenceApiOptions } from "../reference-api";
import { TLS_INCOMPLETE, tlsFileUnreadable, tlsMismatch } from "./messages";

interface Files {
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Reads the certificate and its key if both are configured. Throws if only one of them is configured or if they do not
 * match, so that the server does not start.
 */
export async function readTls({ cert, key }: Files): Promise<ReferenceApiOptions["tls"]> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new Error(TLS_INCOMPLETE);
  const tls = { cert: await read(cert, "--tls-cert"), key: await read(key, "--tls-key") };
  try {
    createSecureContext(tls);
  } catch (cause) {
    throw new Error(tlsMismatch({ certFile: cert, keyFile: key, reason: messageOf(cause) }), { cause });
  }
  return tls;
}

async function read(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new Error(tlsFileUnreadable({ option, file, reason: messageOf(cause) }), { cause });
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
