import { Command } from "commander";
import { messageOf } from "../refusal";
import { assertSnapshotName } from "../snapshots/folder";
import type { Snapshot } from "../snapshots/snapshots";
import { askServer } from "./ask-server";
import { selectBackgroundServer } from "./background";
import {
  noSnapshots,
  notReferenceApi,
  notSent,
  snapshotDeleted,
  snapshotLine,
  snapshotLoaded,
  snapshotSaved,
} from "./messages";
import type { CommandName } from "./name";

interface Server {
  readonly url?: string;
  readonly key?: string;
}

/** Adds the options that name the server. */
const addServerOptions = (command: Command): Command =>
  command
    .option("--url <address>", "address of the server; by default, the one that runs in the background")
    .option("--key <key>", "key of the server, if it has one; by default the value of DBPLATFORM_REFERENCE_KEY");

const save = addServerOptions(new Command("save"))
  .summary("save the state of a server")
  .description(
    "Save the state of a server under a name: all records, tokens and keys, the clock and, with --sql, the rows of the databases. A snapshot is a folder. Whoever can read it can create tokens for its databases.",
  )
  .argument("<name>", "1 to 64 lower-case letters, digits, - and _")
  .option("--replace", "replace the snapshot of this name, if there is one")
  .action(async (name: string, { replace = false, ...server }: Server & { readonly replace?: boolean }) => {
    const snapshot = await ask(server, "POST", "snapshots", {
      expected: isSnapshot,
      body: { name, replace },
    });
    printLine(snapshotSaved({ snapshot }));
  });

const load = addServerOptions(new Command("load"))
  .summary("restore a saved state")
  .description(
    "Restore a saved state, in this server or another one. Everything else is lost, unless it is saved in another snapshot. The tokens that the server has printed at its start stay valid.",
  )
  .argument("<name>", "name of the snapshot")
  .action(async (name: string, server: Server) => {
    const path = `${snapshotPathOf(name)}/load`;
    printLine(snapshotLoaded({ snapshot: await ask(server, "POST", path, { expected: isSnapshot }) }));
  });

const list = ({ npx }: CommandName) =>
  addServerOptions(new Command("list"))
    .summary("list the snapshots of a server")
    .description("List the snapshots in the folder of a server.")
    .action(async (server: Server) => {
      const { snapshots } = await ask(server, "GET", "snapshots", { expected: isSnapshotList });
      printLine(
        snapshots.length === 0
          ? noSnapshots({ command: npx })
          : snapshots.map((snapshot) => snapshotLine({ snapshot })).join("\n"),
      );
    });

const remove = addServerOptions(new Command("delete"))
  .summary("delete a snapshot")
  .description("Delete a snapshot. The state of the server does not change.")
  .argument("<name>", "name of the snapshot")
  .action(async (name: string, server: Server) => {
    await ask(server, "DELETE", snapshotPathOf(name), { expected: isEmpty });
    printLine(snapshotDeleted({ name }));
  });

export const snapshot = (name: CommandName) =>
  new Command("snapshot")
    .summary("save the state of a server under a name, and load it again")
    .description("Save the state of a running server under a name, and load it again, for example before each test.")
    .addCommand(save)
    .addCommand(load)
    .addCommand(list(name))
    .addCommand(remove)
    .addHelpText(
      "after",
      `
Examples:
  $ ${name.npx} snapshot save seeded
  $ ${name.npx} snapshot load seeded --url http://127.0.0.1:8080`,
    );

/** @throws Error if the name is invalid, because a name such as `..` leads to another path. */
function snapshotPathOf(name: string): string {
  try {
    assertSnapshotName(name);
  } catch (cause) {
    throw new Error(notSent({ reason: messageOf(cause) }), { cause });
  }
  return `snapshots/${name}`;
}

type IsExpected<Content extends object> = (content: object) => content is Content;

const isSnapshot = (content: object): content is Snapshot => "savedAt" in content && "databases" in content;
const isSnapshotList = (content: object): content is { readonly snapshots: readonly Snapshot[] } =>
  "snapshots" in content && Array.isArray(content.snapshots) && content.snapshots.every(isSnapshot);
const isEmpty = (content: object): content is object => Object.keys(content).length === 0;

/** @throws Error if what responds is another server, which has done nothing. */
async function ask<Content extends object>(
  server: Server,
  method: "GET" | "POST" | "DELETE",
  path: string,
  { expected, body }: { readonly expected: IsExpected<Content>; readonly body?: object },
): Promise<Content> {
  const url = server.url ?? (await selectBackgroundServer("--url")).url;
  const asked = { key: server.key, method, path, ...(body && { body }) };
  const content: object = await askServer(url, asked);
  if (!expected(content)) throw new Error(notReferenceApi({ url }));
  return content;
}

const printLine = (text: string): void => void process.stdout.write(`${text}\n`);
