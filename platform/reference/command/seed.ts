import { Command } from "commander";
import { contentOf } from "../seed/content";

export const seed = new Command("seed").summary("check seed files").description("Look at files for `serve --seed`.");

seed
  .command("check")
  .summary("print what a seed file holds, or every mistake in it")
  .description("Print what a seed file holds; or print every mistake in it, with line and property, and exit with 1.")
  .argument("<file>", "YAML or JSON")
  .action(async (file: string) => {
    const { Seed } = await import("../seed/seed.js");
    const { users, organizations } = await contentOf(file, Seed, "seed");
    const all = (kind: "groups" | "databases" | "tokens") => organizations.flatMap((each) => each[kind] as unknown[]);
    const counts = { users, organizations, groups: all("groups"), databases: all("databases"), tokens: all("tokens") };
    const summary = Object.entries(counts).map(([kind, things]) => `${kind} ${things.length}`);
    process.stdout.write(`${file} is right: ${summary.join(", ")}\n`);
  })
  .addHelpText("after", "\nExample:\n  $ dbplatform-api seed check seed.yaml");

seed
  .command("schema")
  .summary("print the JSON schema of seed files, for editors")
  .description("Print the JSON schema of seed files, for editors. The package has it as dist/seed.schema.json, too.")
  .action(async () => {
    const { editorSchemas } = await import("./editor-schemas.js");
    process.stdout.write(`${JSON.stringify(editorSchemas().seed, null, 2)}\n`);
  });
