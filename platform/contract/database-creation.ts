import * as z from "zod";
import { CIPHERS, isKeyOf } from "../values/cipher";
import { sizeProblem } from "../values/size";
import { checked } from "./checked";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { ENCRYPTION_NOT_OBJECT, KEY_NOT_TEXT, unknownCipher, WRONG_KEY_LENGTH } from "./messages";
import { inOrganization, organizationIdPath, organizationPath } from "./organization";

/** The part of a database's record that is returned when the database is created (wire-facts 3.2). */
const CreatedDatabase = lazy(() =>
  z.object({ Name: z.string(), DbId: z.guid(), Hostname: z.string() }).meta({ id: "CreatedDatabase" }),
);

const refusals = {
  400: "The group does not exist, the source of the seed does not exist or is no longer kept, or a copy lacks the encryption of its source.",
  409: "The organization already has a database with this name.",
};

/**
 * The source of a new database's data (wire-facts 3.3). This schema does not check which fields belong together; the
 * reference API does.
 */
const Seed = lazy(() =>
  z.object({
    type: z.enum(["database", "dump", "database_upload"]),
    name: z.string().optional().meta({ description: "Name of the database to copy." }),
    value: z.string().optional().meta({ description: "Alias of `name`, as the command line sends it." }),
    url: z
      .string()
      .optional()
      .meta({ description: "Address of a dump: one that was uploaded before, or any other http(s) address." }),
    timestamp: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: "Point in time of the data to copy (RFC 3339). Default: now." }),
  }),
);

/**
 * Returns schema options that replace the error message for an invalid value, because the usual message could repeat
 * the value. A missing value keeps the usual message.
 */
const unrepeated = (message: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (input === undefined ? undefined : message),
});

/** Drops the key after validation, because only the name of the cipher is stored. */
const RemoteEncryption = lazy(() =>
  z
    .object(
      {
        encryption_key: z
          .string(unrepeated(KEY_NOT_TEXT))
          .meta({ description: "16 or 32 bytes in base64, as the cipher requires." }),
        encryption_cipher: z.enum(CIPHERS, unrepeated(unknownCipher(CIPHERS))),
      },
      unrepeated(ENCRYPTION_NOT_OBJECT),
    )
    .refine(({ encryption_key, encryption_cipher }) => isKeyOf(encryption_cipher, encryption_key), {
      path: ["encryption_key"],
      message: WRONG_KEY_LENGTH,
    })
    .transform(({ encryption_cipher }) => encryption_cipher),
);

/**
 * The body of a request that creates a database (wire-facts 3.3). Without a group, the database goes into the group
 * `default`.
 */
const creation = lazy(() =>
  z.object({
    name: z.string(),
    group: z
      .string()
      .optional()
      .meta({ description: "Name of a group. Default: `default`.", examples: ["default"] }),
    seed: Seed().nullish(),
    size_limit: checked(sizeProblem).nullish(),
    remote_encryption: RemoteEncryption().nullish(),
    use_tursodb: z
      .boolean()
      .nullish()
      .meta({ description: "Whether to use the engine `tursodb` instead of `libsql`." }),
    is_schema: z.boolean().nullish().meta({ deprecated: true, description: "Must not be true." }),
    schema: z.string().nullish().meta({ deprecated: true, description: "Must be empty." }),
  }),
);

/** Creates a database, which can start with the data of another database or of a dump (§4.8). */
export const createDatabase = endpoint({
  summary: "Create a database in a group.",
  method: "POST",
  paths: inOrganization("/databases"),
  params: organizationPath,
  body: creation,
  result: () => z.object({ database: CreatedDatabase() }),
  repeats: { "body.name": "database.Name" },
  refusals,
  changes: [],
  access: { level: "group", scope: "db:create", role: "member" },
});

/** Creates a database like `createDatabase`, but the request can name the group by UUID (wire-facts 3.7). */
export const createDatabaseById = endpoint({
  summary: "Create a database in a group by its UUID.",
  method: "POST",
  paths: ["/v3/organizations/{organizationId}/databases"],
  params: organizationIdPath,
  body: () =>
    creation().extend({
      group_id: z.guid().optional().meta({ description: "UUID of a group, instead of its name." }),
    }),
  result: () => z.object({ database: CreatedDatabase() }),
  refusals,
  changes: [],
  access: { level: "group", scope: "db:create", role: "member" },
});
