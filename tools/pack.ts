import { emptyPlatform, fillPlatform, replaceFiles, restoreFiles } from "./release/package";
import { build, root } from "./run";

/** npm runs this before it packs the checkout or, with `platform`, that folder, and with `--restore` afterwards. */
async function main(): Promise<void> {
  const isPlatform = process.argv.includes("platform");
  if (process.argv.includes("--restore")) return isPlatform ? emptyPlatform(root) : restoreFiles(root);
  await build();
  if (isPlatform) fillPlatform(root);
  else replaceFiles(root);
}

main().catch((failure) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exitCode = 1;
});
