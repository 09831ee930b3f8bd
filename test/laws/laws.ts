import { interruptions } from "./interruption-laws";
import { missingIn, objects } from "./object-laws";
import { type Case, LawBroken, Stage } from "./stage";
import type { Platform, Subject } from "./subject";

/** A law for one example of one resource type. `run` throws `LawBroken` if the provider breaks it. */
export interface Law {
  readonly name: string;
  /** The sentence that states it, which is the same for every resource type. */
  readonly law: string;
  readonly type: string;
  run(): Promise<void>;
}

const WHOLE = "the examples show every property";

/**
 * Returns what must hold for a provider: the laws of each resource type, in the order of its resources.
 *
 * @param thorough Whether interruptions happen at every request, which takes several times as long. By default, they
 *   happen at requests that change something.
 */
export function laws<P extends Platform>(subject: Subject<P>, { thorough = false } = {}): readonly Law[] {
  return subject.provider.resources.flatMap((resource) => {
    const { type } = resource;
    const examples = subject.examples[type] ?? [];
    const whole = async () => {
      const missing = missingIn(resource, examples);
      if (missing.length > 0) throw new LawBroken(WHOLE, resource, `there is no ${missing.join(", no ")}`);
    };
    const cases = examples.map((example): Case => ({ subject, resource, example, thorough }));
    return [
      { name: `${type}: ${WHOLE}`, law: WHOLE, type, run: whole },
      ...cases.flatMap((of, index) =>
        lawsOf(of).map(({ law, run }) => {
          const title = examples.length > 1 ? `${type} (${index + 1})` : type;
          return { name: `${title}: ${law}`, law, type, run };
        }),
      ),
    ];
  });
}

function lawsOf(of: Case): { readonly law: string; run(): Promise<void> }[] {
  const isPlayable = (inProcess: true | undefined) => !inProcess || of.subject.engine === undefined;
  return [
    ...Object.entries(objects)
      .filter(([, { applies, inProcess }]) => isPlayable(inProcess) && (applies?.(of) ?? true))
      .map(([law, { run }]) => ({ law, run: () => Stage.try(law, of, (stage) => run(stage)) })),
    ...interruptions
      .filter(({ applies, inProcess }) => isPlayable(inProcess) && applies(of))
      .map(({ law, run }) => ({ law, run: () => run(of) })),
  ];
}
