import type { CustomResourceOptions, Input } from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { sameCause } from "../../kit/plugin/messages";
import { Stack } from "../engine/stack";
import { managedIn, stateEntries } from "../engine/state-entries";
import { isOutput, type Program } from "../fake-engine/declared-program";
import { ALL } from "./declarations";
import type { Driver, Outcome } from "./driver";
import type { CredentialKind, SequenceFixture } from "./sequence-fixture";

type Made = InstanceType<typeof dbplatform.Group>;
type Constructor = new (name: string, args: Record<string, Input<unknown>>, options: CustomResourceOptions) => Made;

const CHANGES_CODE = 7;

export async function engineDriver(stage: SequenceFixture): Promise<Driver> {
  let current: Program = new Map();
  const stack = await Stack.create({
    environment: stage.environment("admin"),
    program: async () => declare(current),
  });

  async function run(program: Program, credential: CredentialKind, kind: "up" | "preview"): Promise<Outcome> {
    current = program;
    stack.setEnvironment(stage.environment(credential));
    const { code, output } = await (kind === "up" ? stack.up() : stack.preview({ expectNoChanges: true }));
    const refusals = code === 0 || code === CHANGES_CODE ? [] : refusalsIn(output);
    return { refusals, empty: code === 0, output };
  }

  return {
    up: (program, credential) => run(program, credential, "up"),
    preview: (program, credential) => run(program, credential, "preview"),
    managed: async () => managedIn(stateEntries(stack)),
    tokens: () => stack.outputs(),
    waiting: async () => stateEntries(stack).filter((entry) => entry.delete).length,
    close: async () => stack.remove(),
  };
}

/** Declares a program's resources. Returns the resources' tokens, which are encrypted in the state. */
function declare(program: Program): Record<string, unknown> {
  const made = new Map<string, Made>();
  for (const [slot, { type, args, import: importId, protect, dependsOn }] of program) {
    const resolved = Object.entries(args).map(([name, value]) => {
      if (!isOutput(value)) return [name, value] as const;
      const one = made.get(value.of) as unknown as Record<string, Input<unknown>>;
      return [name, one[value.output]] as const;
    });
    const needed = made.get(dependsOn ?? "");
    const options = {
      ...(importId === undefined ? {} : { import: importId }),
      ...(protect ? { protect } : {}),
      ...(needed ? { dependsOn: needed } : {}),
    };
    const Class = (dbplatform as unknown as Record<string, Constructor>)[type];
    if (!Class) throw new Error(`no class ${type}`);
    made.set(slot, new Class(slot, Object.fromEntries(resolved), options));
  }
  const tokens = [...made].flatMap(([slot, one]) => ("token" in one ? [[slot, one.token] as const] : []));
  return Object.fromEntries(tokens);
}

/** Returns the error messages in the output, each joined to one line, without those that only refer to another one. */
function refusalsIn(output: string): string[] {
  const references = [...ALL].map(([name, { type }]) => sameCause({ type: `dbplatform:index:${type}`, name }));
  const errors = output
    .split(/^\s*error: /m)
    .slice(1)
    .map((text) => (text.split(/\n\s*\n/)[0] ?? "").replace(/\s*\n\s*/g, " ").trim())
    .filter((text) => !/^(update|preview) failed/.test(text))
    .filter((text) => !references.some((reference) => text.includes(reference)));
  return errors.length > 0 ? [...new Set(errors)] : [output];
}
