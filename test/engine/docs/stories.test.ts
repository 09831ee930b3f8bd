// @module-tag more

import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, type CodeBlock, commandsIn, isShown, normalized } from "../../docs/blocks";
import { NOT_RUN, READ } from "../../docs/unplayed";
import { engineFixture } from "../engine-fixture";
import { Shell } from "./shell";
import { type PageStage, type PageStory, stories } from "./stories";

const isPlayed = ({ page, text }: CodeBlock) =>
  ![...READ, ...NOT_RUN].some((entry) => entry.page === page && text.startsWith(entry.beginning));

/** Returns the entry whose key is a prefix of the command. */
const at = <T>(record: Readonly<Record<string, T>> = {}, command: string): T | undefined =>
  Object.entries(record).find(([beginning]) => command.startsWith(beginning))?.[1];

async function stageOf({ example, seed, sql }: PageStory): Promise<PageStage> {
  const here = await engineFixture({ ...(seed && { seed }), ...(sql && { sql }) });
  const stack = await here.stack(example);
  // `PULUMI_SKIP_CONFIRMATIONS` answers the prompts that users see on a terminal. `TMPDIR` separates the background
  // servers of this story from those of other stories.
  const shell = new Shell(stack.project, {
    ...stack.environment,
    PULUMI_SKIP_CONFIRMATIONS: "true",
    TMPDIR: stack.folder,
  });
  onTestFinished(() => shell.end());
  return { here, stack, shell };
}

async function filledIn(command: string, story: PageStory, stage: PageStage): Promise<string> {
  let filled = command;
  for (const [placeholder, fact] of Object.entries(story.facts ?? {}))
    if (filled.includes(placeholder)) filled = filled.replaceAll(placeholder, await fact(stage));
  return filled;
}

test.each(Object.entries(stories))(
  "the commands in %s run and print the output that the page shows",
  async (page, story) => {
    const stage = await stageOf(story);
    const blocks = blocksOf(page).filter(isPlayed);
    const commands = commandsIn(blocks);
    expect(commands).not.toEqual([]);
    for (const { command, output: shown } of commands) {
      await at(story.before, command)?.(stage);
      const input = at(story.inputs, command)?.(stage);
      const { code, output } = await stage.shell.run(await filledIn(command, story, stage), input);
      expect({ command, code, output }).toMatchObject({ code: at(story.codes, command) ?? 0 });
      await at(story.after, command)?.(stage, output);
      if (shown && !isShown(shown, output)) expect(normalized(output), command).toBe(normalized(shown));
    }
    await story.afterwards?.(stage);
    for (const { language, text } of blocks) {
      const file = story.files?.[language];
      if (file === undefined) continue;
      const { output } = await stage.shell.run("pwd");
      const written = readFileSync(`${output.trim()}/${file}`, "utf8");
      expect(isShown(`…\n${text}…\n`, written), written).toBe(true);
    }
  },
);
