import type { Client } from "@libsql/client";
import { Hono } from "hono";

/** The web service: it adds orders to the database, and lists them. */
export function application(database: Client): Hono {
  const app = new Hono();

  app.get("/orders", async (context) => {
    const { rows } = await database.execute("SELECT id, item, quantity FROM orders ORDER BY id");
    return context.json(rows);
  });

  app.get("/orders/:id", async (context) => {
    const sql = "SELECT id, item, quantity FROM orders WHERE id = ?";
    const [order] = (await database.execute({ sql, args: [context.req.param("id")] })).rows;
    return order ? context.json(order) : context.json({ error: "There is no such order." }, 404);
  });

  app.post("/orders", async (context) => {
    const { item, quantity } = await context.req.json();
    if (typeof item !== "string" || !Number.isInteger(quantity) || quantity < 1)
      return context.json({ error: "An order needs an item and a quantity." }, 400);
    const sql = "INSERT INTO orders (item, quantity) VALUES (?, ?) RETURNING id, item, quantity";
    const [order] = (await database.execute({ sql, args: [item, quantity] })).rows;
    return context.json(order, 201);
  });

  return app;
}
