import type { AnyResource } from "../../kit/definition";
import { resources } from "../../provider/resources/list";
import type { DeclaredStack, StackOptions } from "../fake-engine/declared-stack";
import { fakeStack } from "../fake-engine/fake-engine";
import type { Example } from "./example";
import { interruptions } from "./interruption-laws";
import { missingIn, objects } from "./object-laws";
import { type Case, Stage } from "./stage";

/** A law for one example of one resource type. `run` throws an error if the provider breaks it. */
interface Law {
  readonly name: string;
  run(): Promise<void>;
}

type Examples = Readonly<Record<string, readonly Example[]>>;

interface Options {
  /** Opens a stack on another engine than the fake one. Only the laws that need no access to the process then apply. */
  readonly open?: (options: StackOptions) => Promise<DeclaredStack>;
  /**
   * Whether interruptions happen at every request, which takes several times as long. By default, they happen at
   * requests that change something.
   */
  readonly thorough?: boolean;
}

/** Returns the laws of each resource type from creation to deletion, with its examples. */
export function objectLaws(examples: Examples, options: Options = {}): Law[] {
  const complete = Object.entries(examples).map(([type, ofType]) => ({
    name: `${type}: the examples show every property`,
    run: async () => assertComplete(resourceOf(type), ofType),
  }));
  const tried = Object.entries(objects).map(([law, { run, ...of }]) => ({
    ...of,
    law,
    run: (one: Case) => Stage.try(one, run),
  }));
  return [...complete, ...triedWith(examples, tried, options)];
}

/** Returns the laws of each resource type about interrupted runs, with its examples. */
export const interruptionLaws = (examples: Examples, options: Options = {}): Law[] =>
  triedWith(examples, interruptions, options);

/** A law about an example, and how it is tried. */
interface Trial {
  readonly law: string;
  /** Whether it needs the fake engine. */
  readonly inProcess?: boolean | undefined;
  applies?(of: Case): boolean;
  run(of: Case): Promise<void>;
}

function triedWith(examples: Examples, trials: readonly Trial[], { open, thorough = false }: Options): Law[] {
  return Object.entries(examples).flatMap(([type, ofType]) =>
    ofType.flatMap((example, index) => {
      const of: Case = { resource: resourceOf(type), example, thorough, open: open ?? fakeStack };
      const title = ofType.length > 1 ? `${type} (${index + 1})` : type;
      return trials
        .filter(({ applies, inProcess }) => (open === undefined || !inProcess) && (applies?.(of) ?? true))
        .map(({ law, run }) => ({ name: `${title}: ${law}`, run: () => run(of) }));
    }),
  );
}

const resourceOf = (type: string): AnyResource => resources.find((one) => one.type === type) as AnyResource;

function assertComplete(resource: AnyResource, examples: readonly Example[]): void {
  const missing = missingIn(resource, examples);
  if (missing.length > 0) throw new Error(`the examples lack ${missing.join(", ")}`);
}
