import { Command } from "commander";

export const openapi = new Command("openapi")
  .summary("print the OpenAPI document")
  .description("Print the OpenAPI 3.1 document of the platform's API. A running server has it at /openapi.json.")
  .action(async () => {
    const { openApiDocument } = await import("../openapi/document.js");
    const { examples } = await import("../openapi/examples.js");
    process.stdout.write(`${JSON.stringify(openApiDocument(await examples()), null, 2)}\n`);
  })
  .addHelpText("after", "\nExample:\n  $ dbplatform-api openapi > openapi.json");
