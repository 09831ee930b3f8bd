import { examples, openExample } from "./open-example";
import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { build } from "./run";

async function main([name = "", ...command]: readonly string[]): Promise<number> {
  if (!examples.includes(name)) throw new Error(`npm run example <name> [-- <command>]: ${examples.join(", ")}`);
  const { bin } = await ensurePulumiCli();
  await build();
  return openExample(name, command, bin);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (failure) => {
    console.error(failure instanceof Error ? failure.message : failure);
    process.exitCode = 1;
  },
);
