import { customers, db } from "astro:db";

export default async function seed() {
  await db.insert(customers).values({ name: "eve", note: "second" });
}
