import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { buildConfig, getPayload } from "payload";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;
/** Starts Payload as in development, where it changes the schema to that of the collections. */
const start = (key, fields) =>
  getPayload({
    key,
    config: buildConfig({
      collections: [{ slug: "customers", fields }],
      db: sqliteAdapter({ client: { url, authToken }, transactionOptions: {} }),
      secret: "only for this test",
      telemetry: false,
      typescript: { autoGenerate: false },
    }),
  });
const name = { name: "name", type: "text", unique: true };
const collection = "customers";

const payload = await start("first", [name]);
await payload.create({ collection, data: { name: "ada" } });
const transactionID = await payload.db.beginTransaction();
await payload.delete({ collection, where: {}, req: { transactionID } });
await payload.db.rollbackTransaction(transactionID);

const changed = await start("second", [name, { name: "note", type: "text" }]);
await changed.create({ collection, data: { name: "eve", note: "second" } });
const { docs } = await changed.find({ collection, sort: "id" });
console.log(JSON.stringify(docs.map(({ name, note }) => ({ name, note: note ?? null }))));
process.exit();
