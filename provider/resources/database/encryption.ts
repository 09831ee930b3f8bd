import * as z from "zod";
import type { Vocabulary } from "../../../kit/field";
import { CIPHERS, type Cipher, isCipherKey, isSameKey, keyLengthOf } from "../../../platform/values/cipher";
import {
  anotherKey,
  copyNeedsKey,
  dataPossiblyLeftBehind,
  encryptionReplaced,
  keyInvalid,
  NOT_ENCRYPTED,
  recordedKey,
} from "./messages";
import { findSeedOrigin } from "./seed-origin";

const vocabulary: Vocabulary = {
  name: "EncryptionCipher",
  description: "A cipher that encrypts a database with a key of one's own.",
  values: Object.fromEntries(CIPHERS.map((cipher) => [cipher, `Takes a key of ${keyLengthOf(cipher)} bytes.`])),
};

/** The cipher and the key with which the platform encrypts a database. */
export const Encryption = z
  .strictObject({
    cipher: z.enum(CIPHERS).meta({ vocabulary }).describe("The cipher, for example `aegis256` or `aes256gcm`."),
    key: z
      .string()
      .describe(
        "The key in base64: 16 bytes for `aes128gcm` and the ciphers of `aegis128`, 32 bytes for the others. `openssl rand -base64 32` prints a new one.",
      ),
  })
  .meta({ typeName: "DatabaseEncryption" });

export type Encryption = z.output<typeof Encryption>;

/** The properties of a database's state that describe its encryption. */
interface Encrypted {
  readonly encryption?: Encryption | undefined;
  readonly encryptionCipher?: string | undefined;
}

/** Options of an input that is an encryption. */
export const encryptionOptions = {
  valid: ({ cipher, key }: Encryption) =>
    isCipherKey(cipher, key)
      ? undefined
      : { property: "encryption.key", reason: keyInvalid({ cipher, bytes: keyLengthOf(cipher) }) },
  describeValue(value: Encryption | undefined, { encryption, encryptionCipher }: Encrypted) {
    if (value === undefined) return encryptionCipher ?? NOT_ENCRYPTED;
    if (value === encryption) return recordedKey({ cipher: value.cipher });
    return value.cipher === encryptionCipher ? anotherKey({ cipher: value.cipher }) : value.cipher;
  },
};

/** The platform does not return the key. If the state has no key either, only the ciphers are compared. */
export const sameEncryption = (
  wanted: Encryption,
  observed: Encryption | undefined,
  { encryptionCipher }: Encrypted,
): boolean =>
  observed === undefined
    ? wanted.cipher === encryptionCipher
    : wanted.cipher === observed.cipher && isSameKey(wanted.key, observed.key);

/** Describes what is lost if another cipher or key replaces the database. `wanted` is absent if it is not known yet. */
export const encryptionLost = (wanted: Encryption | undefined, replaced: EncryptionReplaced): string => {
  const { title, now, news } = replaced;
  return wanted
    ? encryptionReplaced({ title, isEncrypted: now.encryptionCipher !== undefined, isSeeded: news.seed !== undefined })
    : dataPossiblyLeftBehind({ title, property: "encryption", seededFrom: findSeedOrigin(replaced) });
};

interface EncryptionReplaced {
  readonly id: string;
  readonly title: string;
  readonly now: Encrypted & { readonly name: string };
  readonly news: Readonly<Record<string, unknown>>;
}

/** Converts the encryption to the wire format (wire-facts 3.3). */
export const wireEncryption = ({ cipher, key }: Encryption) => ({ encryption_cipher: cipher, encryption_key: key });

/**
 * Returns the reason why a database cannot be copied with this encryption, or `undefined`. A copy has the cipher and
 * the key of its source.
 *
 * @param encryption The program's value; a symbol if it is not known yet.
 */
export function copyEncryptionProblem(
  source: { readonly Name: string; readonly encryption_cipher?: string | undefined },
  encryption: unknown,
): string | undefined {
  const { Name, encryption_cipher: cipher } = source;
  if (cipher === undefined || typeof encryption === "symbol") return undefined;
  const wanted = (encryption as { readonly cipher: Cipher } | undefined)?.cipher;
  return wanted === cipher ? undefined : copyNeedsKey({ name: Name, cipher });
}

/** Returns whether the replacement also changes the encryption, which has a warning of its own. */
export function isEncryptionReplaced({
  now,
  news: { encryption },
}: {
  readonly now: Encrypted;
  readonly news: Readonly<Record<string, unknown>>;
}): boolean {
  if (typeof encryption !== "object" || encryption === null) return typeof encryption === "symbol";
  return !sameEncryption(encryption as Encryption, now.encryption, now);
}
