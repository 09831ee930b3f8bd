import { customers, db } from "astro:db";

export default async function seed() {
  await db.transaction(async (transaction) => transaction.insert(customers).values({ name: "ada" }));
  const undone = db.transaction(async (transaction) => {
    await transaction.delete(customers);
    transaction.rollback();
  });
  await undone.catch(() => undefined);
}
