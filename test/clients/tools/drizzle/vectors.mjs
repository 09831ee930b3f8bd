import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { customType, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The column type from Drizzle's guide for vectors in Turso.
const vector = customType({
  dataType: ({ dimensions }) => `F32_BLOB(${dimensions})`,
  fromDriver: (value) => Array.from(new Float32Array(value.buffer ?? value)),
  toDriver: (value) => sql`vector32(${JSON.stringify(value)})`,
});
const movies = sqliteTable("movies", {
  id: integer().primaryKey(),
  title: text().notNull(),
  embedding: vector({ dimensions: 3 }),
});

const db = drizzle({ connection: { url: process.env.DATABASE_URL, authToken: process.env.DATABASE_TOKEN } });
await db.run(sql`CREATE TABLE movies (id integer PRIMARY KEY, title text NOT NULL, embedding F32_BLOB(3))`);
await db.insert(movies).values([
  { title: "Napoleon", embedding: [1, 0, 0.5] },
  { title: "Gladiator", embedding: [0, 1, 0] },
  { title: "Blade Runner", embedding: [0.25, 0.75, 0] },
]);
const distance = sql`vector_distance_cos(${movies.embedding}, vector32(${JSON.stringify([0.25, 1, 0])}))`;
const nearest = await db.select().from(movies).orderBy(distance).limit(2);
const { message, code } = await db
  .run(sql`CREATE INDEX movies_by_embedding ON movies (libsql_vector_idx(embedding))`)
  .then(() => ({}))
  .catch(({ cause }) => cause);
export const vectors = { nearest, code, message };
