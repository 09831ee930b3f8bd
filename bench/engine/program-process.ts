import { MeasuredStack, type Run, type StackOptions } from "./measured-stack";
import { configuredDatabases, databases } from "./programs";

/** A stack whose program declares databases. */
export interface Declared extends Omit<StackOptions, "program"> {
  readonly count: number;
  readonly configured: boolean;
}

export type Command = "up" | "preview" | "refresh" | "destroy";

export type StackRequest = { readonly create: Declared } | { readonly command: Command } | "remove";

export type StackReply = { readonly run?: Run } | { readonly failure: string };

let stack: MeasuredStack | undefined;

async function answer(request: StackRequest): Promise<StackReply> {
  if (request === "remove") {
    stack?.remove();
    process.disconnect();
  } else if ("create" in request) {
    const { count, configured, ...options } = request.create;
    const program = (configured ? configuredDatabases : databases)(count);
    stack = await MeasuredStack.create({ ...options, program });
  } else if (stack) return { run: await stack[request.command]() };
  return {};
}

process.on("message", (request: StackRequest) =>
  answer(request).then(
    (reply) => process.connected && process.send?.(reply),
    (thrown) => process.send?.({ failure: String(thrown) } satisfies StackReply),
  ),
);
