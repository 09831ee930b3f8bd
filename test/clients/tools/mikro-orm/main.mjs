import { defineEntity, MikroORM } from "@mikro-orm/libsql";

const { DATABASE_URL: dbName, DATABASE_TOKEN: password } = process.env;
const properties = (p) => ({ id: p.integer().primary(), name: p.string().unique() });
const Customer = defineEntity({ name: "Customer", tableName: "customers", properties });
const Annotated = defineEntity({
  name: "Customer",
  tableName: "customers",
  properties: (p) => ({ ...properties(p), note: p.string().nullable() }),
});

const orm = await MikroORM.init({ dbName, password, entities: [Customer] });
await orm.schema.create();
await orm.em.transactional(async (em) => em.persist(em.create(Customer, { name: "ada" })));
const undone = orm.em.fork().transactional(async (em) => {
  await em.nativeDelete(Customer, {});
  throw new Error("undo");
});
await undone.catch(() => undefined);
await orm.close();

const changed = await MikroORM.init({ dbName, password, entities: [Annotated] });
await changed.schema.update();
if (await changed.schema.getUpdateSchemaSQL()) throw new Error("The schema differs after its update.");
const em = changed.em.fork();
em.create(Annotated, { name: "eve", note: "second" });
await em.flush();
const found = await changed.em.fork().findAll(Annotated, { orderBy: { id: "asc" } });
console.log(JSON.stringify(found.map(({ name, note }) => ({ name, note }))));
await changed.close();
