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

interface Options {
  /** Opens a stack on another engine than the fake one. Only the laws that need no access to the process then apply. */
  readonly open?: (options: StackOptions) => Promise<DeclaredStack>;
  /**
   * Whether interruptions happen at every request, which takes several times as long. By default, they happen at
   * requests that change something.
   */
  readonly thorough?: boolean;
}

/** Returns the laws of each resource type, with its examples. */
export function laws(
  examples: Readonly<Record<string, readonly Example[]>>,
  { open, thorough = false }: Options = {},
): readonly Law[] {
  return Object.entries(examples).flatMap(([type, ofType]) => {
    const resource = resources.find((one) => one.type === type) as AnyResource;
    const cases = ofType.map((example): Case => ({ resource, example, thorough, open: open ?? fakeStack }));
    return [
      { name: `${type}: the examples show every property`, run: async () => assertComplete(resource, ofType) },
      ...cases.flatMap((of, index) =>
        lawsOf(of, open === undefined).map(({ law, run }) => {
          const title = ofType.length > 1 ? `${type} (${index + 1})` : type;
          return { name: `${title}: ${law}`, run };
        }),
      ),
    ];
  });
}

function assertComplete(resource: AnyResource, examples: readonly Example[]): void {
  const missing = missingIn(resource, examples);
  if (missing.length > 0) throw new Error(`the examples lack ${missing.join(", ")}`);
}

function lawsOf(of: Case, isInProcess: boolean): { readonly law: string; run(): Promise<void> }[] {
  return [
    ...Object.entries(objects)
      .filter(([, { applies, inProcess }]) => (isInProcess || !inProcess) && (applies?.(of) ?? true))
      .map(([law, { run }]) => ({ law, run: () => Stage.try(of, run) })),
    ...interruptions
      .filter(({ applies, inProcess }) => (isInProcess || !inProcess) && applies(of))
      .map(({ law, run }) => ({ law, run: () => run(of) })),
  ];
}
