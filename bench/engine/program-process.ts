import { MeasuredStack, type Run, type StackOptions } from "./measured-stack";
import { configuredDatabases, databases } from "./programs";

/** A stack whose program declares databases. */
export interface Declared extends Omit<StackOptions, "program"> {
  readonly count: number;
  readonly configured: boolean;
}

export type Command = "up" | "preview" | "refresh" | "destroy";

export type Wish = { readonly create: Declared } | { readonly command: Command } | "remove";

export type Reply = { readonly run?: Run } | { readonly failure: string };

let stack: MeasuredStack | undefined;

async function grant(wish: Wish): Promise<Reply> {
  if (wish === "remove") {
    stack?.remove();
    process.disconnect();
  } else if ("create" in wish) {
    const { count, configured, ...options } = wish.create;
    const program = (configured ? configuredDatabases : databases)(count);
    stack = await MeasuredStack.create({ ...options, program });
  } else if (stack) return { run: await stack[wish.command]() };
  return {};
}

process.on("message", (wish: Wish) =>
  grant(wish).then(
    (reply) => process.connected && process.send?.(reply),
    (thrown) => process.send?.({ failure: String(thrown) } satisfies Reply),
  ),
);
