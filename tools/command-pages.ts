import { Command } from "commander";
import { fenced } from "../kit/docs";
import { program } from "../platform/reference/command/command";
import { adopt } from "../provider/adopt/command";
import { API_COMMAND } from "../provider/command/main";
import { restore } from "../provider/restore/command";
import { scopes } from "../provider/scopes/command";
import { fromLive } from "../provider/twin/command";

/** Returns the sections of a page for each part of the command, by its name, such as `dbplatform adopt`. */
export function commandPages(): ReadonlyMap<string, string[]> {
  const all = [adopt, program(API_COMMAND), restore, scopes];
  const whole = new Command("dbplatform");
  for (const part of all) whole.addCommand(part);
  return new Map(all.map((part) => [nameOf(part), sectionsOf(part)]));
}

/** Commands that are programs of their own, by their names. Another program only lists them. */
const OWN_PROGRAMS = new Map([["dbplatform api seed from-live", fromLive]]);

function sectionsOf(listed: Command): string[] {
  const name = nameOf(listed);
  const command = OWN_PROGRAMS.get(name) ?? listed;
  return [
    ...(listed.parent?.parent ? [`## ${name}`] : []),
    command.description(),
    fenced("sh", `npx pulumi-${name} ${command.usage()}`),
    ...optionsOf(command),
    ...examplesOf(command),
    ...command.commands.flatMap(sectionsOf),
  ];
}

const nameOf = (command: Command): string =>
  [...(command.parent ? [nameOf(command.parent)] : []), command.name()].join(" ");

function optionsOf(command: Command): string[] {
  const rows = [
    ...command.registeredArguments.map((argument) => [argument.name(), argument.description]),
    ...command.options.map(({ flags, description, defaultValue, argChoices }) => [
      flags,
      [
        description,
        argChoices && `(${argChoices.join(", ")})`,
        typeof defaultValue === "string" || typeof defaultValue === "number" ? `(default: ${defaultValue})` : undefined,
      ]
        .filter(Boolean)
        .join(" "),
    ]),
  ];
  if (rows.length === 0) return [];
  return [
    [
      "| Option | |",
      "|---|---|",
      ...rows.map(([flags = "", text = ""]) => `| \`${cell(flags)}\` | ${cell(text)} |`),
    ].join("\n"),
  ];
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

function examplesOf(command: Command): string[] {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => parts.push(part) }).outputHelp();
  const [, after = ""] = parts.join("").split(command.helpInformation());
  return after.trim() ? [fenced("text", after.trim())] : [];
}
