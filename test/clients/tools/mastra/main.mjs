import { LibSQLStore } from "@mastra/libsql";

const { DATABASE_URL: url, DATABASE_TOKEN: authToken } = process.env;

async function open() {
  const store = new LibSQLStore({ id: "store", url, authToken });
  await store.init();
  return store.getStore("memory");
}

const memory = await open();
const resourceId = "customers";
const thread = (id, metadata) => {
  const at = new Date();
  return { thread: { id, title: id, resourceId, metadata, createdAt: at, updatedAt: at } };
};
const message = (threadId, text) => ({
  id: `${threadId}-${text}`,
  threadId,
  resourceId,
  role: "user",
  type: "v2",
  content: { format: 2, parts: [{ type: "text", text }] },
  createdAt: new Date(),
});
await memory.saveThread(thread("ada", { note: null }));
await memory.saveMessages({ messages: [message("ada", "hello")] });

// The second time, the tables exist.
const again = await open();
await again.saveThread(thread("eve", {}));
await again.updateThread({ id: "eve", title: "eve", metadata: { note: "second" } });
await again.saveMessages({ messages: [message("eve", "hello"), message("eve", "bye")] });
await again.deleteMessages(["eve-bye"]);
const { messages } = await again.listMessages({ threadId: "eve" });
if (messages.length !== 1) throw new Error(`There are ${messages.length} messages.`);
const orderBy = { field: "createdAt", direction: "ASC" };
const { threads } = await again.listThreads({ filter: { resourceId }, orderBy });
console.log(JSON.stringify(threads.map(({ title: name, metadata: { note } }) => ({ name, note }))));
process.exit();
