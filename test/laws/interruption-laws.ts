import type { Program } from "../fake-engine/declared-program";
import { type Exchange, type FaultyWire, isWrite } from "../faulty-wire";
import { type Case, SLOT, Stage } from "./stage";

/** A way in which a run ends at one of its requests. */
interface Fault {
  /** Whether it needs the fake engine. */
  readonly inProcess?: true;
  /** @param at Number of the request, from 0. */
  begin(wire: FaultyWire, at: number, kill: () => void): void;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "a lost answer": {
    begin: (wire, at) =>
      interruptRequest(wire, at, async ({ forward, cut }) => {
        await forward();
        cut();
      }),
  },
  "an empty answer": {
    begin: (wire, at) =>
      interruptRequest(wire, at, async ({ forward, send }) => {
        await forward();
        send(200, "{}");
      }),
  },
  "a refused connection": { begin: (wire, at) => wire.loseAfter(at) },
  "a killed process": {
    inProcess: true,
    begin: (wire, at, kill) =>
      interruptRequest(wire, at, async ({ forward, cut }) => {
        await forward();
        kill();
        cut();
      }),
  },
};

function interruptRequest(wire: FaultyWire, at: number, trouble: (exchange: Exchange) => Promise<void>): void {
  let left = at;
  wire.trouble = () => (left-- === 0 ? trouble : undefined);
}

/** A step that is interrupted: what is there before, and the program that is then applied. */
interface Step {
  applies?(of: Case): boolean;
  before?(stage: Stage): Promise<void>;
  program(stage: Stage): Program;
}

const makeObjectToInterrupt = async (stage: Stage): Promise<void> => void (await stage.made());

/** Returns the changes of all arguments that an update can make in one step. */
function changesToInterrupt({ resource, example }: Case): Readonly<Record<string, unknown>> {
  const inPlace = Object.keys(example.changedArgs).filter((property) => {
    const { isInput, onChange } = resource.properties.get(property);
    return isInput && property in example.args && onChange !== "replace" && onChange !== "warn";
  });
  return Object.fromEntries(inPlace.map((property) => [property, example.changedArgs[property]]));
}

const STEPS: Readonly<Record<string, Step>> = {
  create: {
    before: async (stage: Stage) => {
      const needs = stage.needs();
      if (needs.size > 0) await stage.up(needs);
    },
    program: (stage) => stage.program(),
  },
  update: {
    applies: (of) => of.resource.update !== undefined && Object.keys(changesToInterrupt(of)).length > 0,
    before: makeObjectToInterrupt,
    program: (stage) => stage.program(changesToInterrupt(stage.of)),
  },
  delete: { before: makeObjectToInterrupt, program: (stage) => stage.needs() },
  restore: {
    applies: ({ resource, example }) => resource.softDeleted !== undefined && example.outside?.delete !== undefined,
    async before(stage) {
      const { id } = await stage.made();
      await stage.outside.delete?.(id, stage.platform);
    },
    program: (stage) => stage.program(),
  },
};

/** Returns the numbers of the requests that a step sends, of which interruptions are tried. */
async function interruptibleRequests(of: Case, step: Step): Promise<number[]> {
  let requests: number[] = [];
  await Stage.try(of, async (stage: Stage) => {
    await step.before?.(stage);
    const first = stage.wire.requests.length;
    const { failure } = await stage.attempt(step.program(stage), { preview: false });
    stage.assert(failure === undefined, `\`pulumi up\` failed without an interruption: ${failure}`);
    requests = stage.wire.requests
      .slice(first)
      .flatMap((asked, index) => (of.thorough || isWrite(asked) ? [index] : []));
  });
  return requests;
}

/**
 * Runs an update again, which must succeed. A killed process could not record what it had created, so a message may then
 * advise to import it.
 */
async function upAfterInterruption(
  stage: Stage,
  program: Program,
  { isKilled, when }: { isKilled: boolean; when: string },
) {
  const again = await stage.attempt(program, { preview: false });
  if (again.failure === undefined) return;
  const [, id] = (isKilled && /import: "([^"]+)"/.exec(again.failure)) || [];
  const declared = program.get(SLOT);
  stage.assert(id !== undefined && declared !== undefined, `\`pulumi up\` again ${when} failed: ${again.failure}`);
  const imported = new Map(program).set(SLOT, { ...declared, import: id });
  const third = await stage.attempt(imported, { preview: false });
  stage.assert(third.failure === undefined, `the import that a message advises failed ${when}: ${third.failure}`);
}

async function interrupted(of: Case, { step, fault, at }: { step: Step; fault: Fault; at: number }): Promise<void> {
  await Stage.try(of, async (stage: Stage) => {
    const others = await stage.idsOutside();
    await step.before?.(stage);
    const before = (await stage.stack.managed()).get(SLOT);
    const program = step.program(stage);
    const process = new AbortController();
    const first = stage.wire.requests.length;
    fault.begin(stage.wire, at, () => process.abort());
    await stage.attempt(program, { preview: false, ...(fault.inProcess ? { killed: process.signal } : {}) });
    const struck = stage.wire.requests[first + at];
    const when = struck ? `at ${struck.method} ${struck.path}` : `at request ${at + 1}`;
    await stage.wire.heal();

    if (before) stage.assert(await isKnownOrGone(stage, before.id), `${before.id} was lost from the state ${when}`);
    await upAfterInterruption(stage, program, { isKilled: fault.inProcess === true, when });
    await stage.settled(program, `after an interruption ${when}`);
    const after = (await stage.stack.managed()).get(SLOT);
    stage.assert(program.has(SLOT) === (after !== undefined), `the state is not that of the program ${when}`);
    if (before && after) stage.assert(before.id === after.id, `${before.id} became ${after.id} ${when}`);
    if (after && of.example.outside) await stage.assertSeen(after.id, after.inputs, `after an interruption ${when}`);
    await stage.assertNothingDoubled(others, `after an interruption ${when}`);
  });
}

/** Returns whether the state contains the object, if it exists. */
async function isKnownOrGone(stage: Stage, id: string): Promise<boolean> {
  const held = [...(await stage.stack.managed()).values()].some((entry) => entry.id === id);
  if (held || !stage.example.outside?.delete) return true;
  return (await stage.outside.look(id, stage.platform)) === undefined;
}

/** The laws about interrupted runs, one for each step and fault. */
export const interruptions = Object.entries(STEPS).flatMap(([title, step]) => {
  const requests = new WeakMap<Case, Promise<number[]>>();
  const requestsOf = (of: Case): Promise<number[]> => {
    const known = requests.get(of) ?? interruptibleRequests(of, step);
    requests.set(of, known);
    return known;
  };
  return Object.entries(FAULTS).map(([name, fault]) => ({
    law: `${name} at a request to ${title} loses and doubles nothing`,
    inProcess: fault.inProcess,
    applies: (of: Case): boolean => step.applies?.(of) ?? true,
    async run(of: Case): Promise<void> {
      for (const at of await requestsOf(of)) await interrupted(of, { step, fault, at });
    },
  }));
});
