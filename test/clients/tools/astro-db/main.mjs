import { execFileSync } from "node:child_process";

const { DATABASE_URL: url, DATABASE_TOKEN: token } = process.env;
const db = (note, ...args) =>
  execFileSync("npx", ["astro", "db", ...args, "--remote"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: "1",
      ASTRO_DB_REMOTE_URL: url,
      ASTRO_DB_APP_TOKEN: token,
      NOTE: note,
    },
  }).toString();

db("", "push");
db("", "execute", "db/ada.mjs");
db("yes", "push");
db("yes", "execute", "db/eve.mjs");
// Without a difference between the schemas, nothing is pushed.
if (!db("yes", "push").includes("up to date")) throw new Error("The schema differs after it was pushed.");
const printed = db("yes", "execute", "db/read.mjs");
console.log(/\[\{.*\}\]/.exec(printed)?.[0] ?? printed);
