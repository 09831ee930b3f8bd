import { column, defineDb, defineTable } from "astro:db";

const columns = { id: column.number({ primaryKey: true }), name: column.text({ unique: true }) };
const note = column.text({ optional: true });

export default defineDb({
  tables: { customers: defineTable({ columns: process.env.NOTE ? { ...columns, note } : columns }) },
});
