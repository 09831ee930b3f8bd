import { ensurePulumiCli } from "./pulumi-cli/ensure";
import { build } from "./run";
import {
  createUndeclared,
  deleteOutside,
  playDestruction,
  playImport,
  playRestoration,
  type Scene,
  say,
} from "./story";
import { TemporaryProject } from "./temporary-project";

async function play(stage: TemporaryProject): Promise<void> {
  say("The reference API is started on a free port, with one organization and one group in it.");
  const platform = await stage.platform();
  console.log(`\n${platform.url}, organization "${platform.organization}"`);
  const step: Scene["step"] = (text, play) => {
    say(text);
    return play();
  };
  const scene: Scene = { stage, platform, group: "default", step };
  await playRestoration(scene);
  await step(
    "Another database is made and deleted, and never was in a program. `import` with its DbId restores it.",
    async () => {
      const archive = await createUndeclared(scene, "archive");
      await deleteOutside(scene, archive);
      await playImport(scene, archive);
    },
  );
  await step("`pulumi destroy` deletes what the program declared, and nothing is left.", () => playDestruction(scene));
}

async function main(): Promise<void> {
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const { bin } = await ensurePulumiCli({ signal: interrupt.signal });
  await build();
  const started = Date.now();
  const stage = new TemporaryProject(bin);
  const stop = () => stage.clear().finally(() => process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    await play(stage);
  } finally {
    await stage.clear();
  }
  say(`Done in ${Math.round((Date.now() - started) / 1000)} s. Nothing is left running.`);
}

main().catch((failure) => {
  console.error(`\n${failure instanceof Error ? failure.message : failure}`);
  process.exitCode = 1;
});
