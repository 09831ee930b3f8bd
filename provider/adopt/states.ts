import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { messageOf } from "../../platform/client/refusal";
import { invalidState, unreadableState } from "./messages";
import type { Thing } from "./thing";

/** The objects that at least one stack manages. */
export interface Managed {
  has(thing: Thing): boolean;
}

/**
 * Parses the parts of an exported state that the command needs. An `external` resource was only read with `.get`, so
 * the stack does not manage it.
 */
const State = z.object({
  deployment: z.object({
    resources: z
      .array(z.object({ type: z.string(), id: z.string().optional(), external: z.boolean().optional() }))
      .default([]),
  }),
});

/** Matches the resource types of the plugin and of the dynamic providers. */
const TYPE = /^(?:dbplatform:index:|pulumi-nodejs:dynamic\/dbplatform:)(\w+)$/;

/**
 * Reads the exported states of stacks.
 *
 * @param paths Files that `pulumi stack export` created; `-` means standard input.
 */
export async function readStates(paths: readonly string[]): Promise<Managed> {
  const keys = new Set((await Promise.all(paths.map(keysIn))).flat());
  return { has: ({ resource, id }) => keys.has(keyOf(resource.type, id)) };
}

async function keysIn(path: string): Promise<string[]> {
  const { deployment } = parse(await contentOf(path), path);
  return deployment.resources.flatMap(({ type, id, external }) => {
    const own = TYPE.exec(type)?.[1];
    return own === undefined || id === undefined || external ? [] : [keyOf(own, id)];
  });
}

const keyOf = (type: string, id: string): string => `${type} ${id}`;

async function contentOf(path: string): Promise<string> {
  if (path === "-") return text(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(unreadableState(path, messageOf(cause)), { cause });
  }
}

/** Parses an exported state. The error never repeats the content, because a state contains secrets. */
function parse(content: string, path: string): z.output<typeof State> {
  try {
    return State.parse(JSON.parse(content));
  } catch {
    throw new Error(invalidState(path));
  }
}
