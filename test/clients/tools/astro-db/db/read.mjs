import { customers, db } from "astro:db";

export default async function read() {
  const found = await db.select({ name: customers.name, note: customers.note }).from(customers).orderBy(customers.id);
  console.log(JSON.stringify(found));
}
