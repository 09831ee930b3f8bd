import { execFileSync } from "node:child_process";

const migrate = () => execFileSync("npx", ["auth", "migrate", "--config", "auth.mjs", "--yes"], { stdio: "pipe" });
const password = "correct horse battery";
const signUp = (auth, name, fields = {}) =>
  auth.api.signUpEmail({ body: { name, email: `${name}@example.com`, password, ...fields } });

migrate();
const { auth } = await import("./auth.mjs");
await signUp(auth, "ada");
const { adapter } = await auth.$context;
const undone = adapter.transaction(async (transaction) => {
  await transaction.deleteMany({ model: "user", where: [{ field: "name", value: "ada" }] });
  throw new Error("undo");
});
await undone.catch(() => undefined);

process.env.NOTE = "yes";
migrate();
const { auth: changed } = await import("./auth.mjs?note");
await signUp(changed, "eve", { note: "second" });
await changed.api.signInEmail({ body: { email: "ada@example.com", password } });
const sortBy = { field: "createdAt", direction: "asc" };
const found = await (await changed.$context).adapter.findMany({ model: "user", sortBy });
console.log(JSON.stringify(found.map(({ name, note }) => ({ name, note }))));
process.exit();
