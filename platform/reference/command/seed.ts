import { Command } from "commander";
import { contentOf } from "../seed/content";
import { seedValid } from "./messages";

export const seed = new Command("seed").summary("check seed files").description("Check seed files for `serve --seed`.");

seed
  .command("check")
  .summary("check a seed file, and print every mistake in it")
  .description(
    "Check a seed file. Print how many objects it contains; or print every mistake with its line and property, and exit with 1.",
  )
  .argument("<file>", "YAML or JSON")
  .action(async (file: string) => {
    const { Seed } = await import("../seed/seed.js");
    const { users, organizations } = await contentOf(file, Seed, "seed");
    const count = (kind: "groups" | "databases" | "tokens") =>
      organizations.reduce((sum, organization) => sum + organization[kind].length, 0);
    const counts = {
      users: users.length,
      organizations: organizations.length,
      groups: count("groups"),
      databases: count("databases"),
      tokens: count("tokens"),
    };
    process.stdout.write(`${seedValid({ file, counts })}\n`);
  })
  .addHelpText("after", "\nExample:\n  $ dbplatform-api seed check seed.yaml");

seed
  .command("schema")
  .summary("print the JSON schema of seed files, for editors")
  .description("Print the JSON schema of seed files, for editors. The package contains it as dist/seed.schema.json.")
  .action(async () => {
    const { editorSchemas } = await import("./editor-schemas.js");
    process.stdout.write(`${JSON.stringify(editorSchemas().seed, null, 2)}\n`);
  });
