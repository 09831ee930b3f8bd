// Turns the JSON of a preview into Markdown: what differs, and what the provider says about it.
//
//   node summary.mjs preview.json "No drift."
import { readFileSync } from "node:fs";

const [file, unchanged] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
if (text === "") throw new Error("There is no preview. The reason is in the log above.");
const { steps = [], diagnostics = [] } = JSON.parse(text);

const nameOf = ({ urn }) => {
  const [type, name] = urn.split("::").slice(-2);
  return `${type.split(":").at(-1)} ${name}`;
};
const changes = steps.filter(({ op }) => op !== "same" && op !== "refresh");
const rows = changes.map((step) => `| ${nameOf(step)} | ${step.op} | ${(step.diffReasons ?? []).join(", ")} |`);
const messages = diagnostics.map(({ message }) => `- ${message.trimEnd().replace(/\n\*?/g, "")}`);

const table = rows.length > 0 ? ["| Resource | `pulumi up` would | Properties |", "|---|---|---|", ...rows, ""] : [];
const lines = [...table, ...messages];
console.log((lines.length > 0 ? lines : [unchanged]).join("\n"));
console.log();
