import { LibsqlDialect } from "@libsql/kysely-libsql";
import { betterAuth } from "better-auth";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken, NOTE: hasNote } = process.env;
export const auth = betterAuth({
  baseURL: "http://127.0.0.1:3000",
  secret: "a secret that is only for this test, 32 characters or longer",
  database: { dialect: new LibsqlDialect({ url, authToken }), type: "sqlite", transaction: true },
  emailAndPassword: { enabled: true },
  user: { additionalFields: hasNote ? { note: { type: "string", required: false } } : {} },
});
