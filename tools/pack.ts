import { replaceFiles, restoreFiles } from "./release/package";
import { build, root } from "./run";

/** npm runs this before it packs the checkout and, with `--restore`, afterwards. */
async function main(): Promise<void> {
  if (process.argv.includes("--restore")) return restoreFiles(root);
  await build();
  replaceFiles(root);
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
