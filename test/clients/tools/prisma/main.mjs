import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createClient } from "@libsql/client";
import { PrismaLibSql } from "@prisma/adapter-libsql";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;

/** Applies a migration with SQL, because `prisma migrate` cannot connect to libSQL, and connects with a new client. */
async function migrate(name, sql, fields) {
  const client = createClient({ url, authToken });
  await client.executeMultiple(sql);
  client.close();
  writeFileSync(
    "schema.prisma",
    `generator client {
      provider = "prisma-client"
      output   = "./${name}"
    }
    datasource db {
      provider = "sqlite"
    }
    model Customer {
      id   Int    @id @default(autoincrement())
      name String @unique
      ${fields}
    }`,
  );
  // This command downloads an engine that it does not use, unless the variable names a program.
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  execFileSync("npx", ["prisma", "generate", "--schema", "schema.prisma"], { env, stdio: "pipe" });
  const { PrismaClient } = await import(`./${name}/client.ts`);
  return new PrismaClient({ adapter: new PrismaLibSql({ url, authToken }) });
}

const prisma = await migrate(
  "first",
  `CREATE TABLE "Customer" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL);
  CREATE UNIQUE INDEX "Customer_name_key" ON "Customer"("name");`,
  "",
);
await prisma.$transaction((transaction) => transaction.customer.create({ data: { name: "ada" } }));
const undone = prisma.$transaction(async (transaction) => {
  await transaction.customer.deleteMany();
  throw new Error("undo");
});
await undone.catch(() => undefined);
await prisma.$disconnect();

const changed = await migrate("second", `ALTER TABLE "Customer" ADD COLUMN "note" TEXT;`, "note String?");
await changed.customer.create({ data: { name: "eve", note: "second" } });
const found = await changed.customer.findMany({ select: { name: true, note: true }, orderBy: { id: "asc" } });
console.log(JSON.stringify(found));
await changed.$disconnect();
