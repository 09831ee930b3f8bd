import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serve } from "../../platform/reference/command/serve";
import { snapshot } from "../../platform/reference/command/snapshot";
import { token } from "../../platform/reference/command/token";
import { control } from "../../platform/reference/control/control";
import { FaultRules } from "../../platform/reference/faults/faults";
import { Seed } from "../../platform/reference/seed/seed";
import { API_COMMAND } from "../../provider/command/main";
import { world } from "./world";

const root = join(__dirname, "../..");
const page = ["docs/reference-api.md", "docs/reference-api-sql.md", "docs/reference-api-rules.md"]
  .map((file) => readFileSync(join(root, file), "utf8"))
  .join("\n");

test("the documentation names every route under /_reference/", async () => {
  const { api } = await world();
  const routes = control(api, api.store)
    .routes.filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `\`${method} /_reference${path.replace(/:(\w+)/g, "{$1}")}\``);
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter((route) => !page.includes(route) && !page.includes(`${route.slice(0, -1)}\` \`{`))).toEqual([]);
});

test("the documentation names every option of `serve`, `token` and `snapshot`", () => {
  const commands = [serve(API_COMMAND), token(API_COMMAND), ...snapshot(API_COMMAND).commands];
  const options = commands.flatMap((command) => command.options.map(({ long }) => String(long)));
  expect(options.filter((option) => !page.includes(option))).toEqual([]);
});

test("all seeds and faults in the documentation are valid", () => {
  const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);
  const schemas = blocks.map((text) => (text.includes("seed.schema.json") ? Seed : FaultRules));
  expect(schemas).toEqual([Seed, FaultRules]);
  for (const [index, text] of blocks.entries()) schemas[index]?.parse(parse(text));
});
