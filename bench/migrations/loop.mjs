// Migrates databases with drizzle-orm's migrator, sixteen at a time, as a program does that has a database for each tenant.
import { createClient } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import { migrate } from "drizzle-orm/libsql/migrator";

const { ORGANIZATION_URL, GROUP, API_TOKEN, SQL, MIGRATIONS } = process.env;

async function ask(path, method = "GET") {
  const answer = await fetch(`${ORGANIZATION_URL}/${path}`, {
    method,
    headers: { authorization: `Bearer ${API_TOKEN}` },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const { databases } = await ask(`databases?group=${GROUP}&limit=1000`);
const { jwt } = await ask(`groups/${GROUP}/auth/tokens?expiration=10m`, "POST");
const queue = databases.values();
const worker = async () => {
  for (const { DbId } of queue) {
    const client = createClient({ url: SQL.replace("{DbId}", DbId), authToken: jwt });
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
    client.close();
  }
};
await Promise.all(Array.from({ length: 16 }, worker));
