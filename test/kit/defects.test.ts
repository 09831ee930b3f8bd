import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Instance } from "../../kit/instance";
import { kit } from "../../kit/kit";
import { creationUncertain, valuesNotRecordable } from "../../kit/lifecycle/messages";
import { messageOf, Refusal } from "../../kit/refusal";
import { FakeEngine } from "../fake-engine/fake-engine";

interface Box {
  readonly id: string;
  readonly name: string;
  readonly size: string;
}

/** A platform, and which of the author's functions has a defect. */
interface Boxes {
  readonly boxes: Map<string, Box>;
  defect: Defect | undefined;
  /** Whether a creation fails before its request. */
  isBroken?: boolean;
  /** Whether a creation leaves the size to an update, which names a property that nobody declared and fails. */
  isDoneWrong?: boolean;
}

type Defect = keyof typeof DEFECTS;

const DEFECTS = {
  same: "an equality that throws",
  secret: "a check for secrets that throws",
  created: "a creation that cannot map the answer",
  mapped: "a mapping that throws wherever it is used",
  noId: "a creation that returns no id",
  value: "a state with a value that Pulumi cannot record",
} as const;

const { field, resource, provider } = kit<Boxes>();

let live: Boxes;

function failIf(...defects: Defect[]): void {
  if (live.defect && live.boxes.size > 0 && defects.includes(live.defect))
    throw new TypeError("Cannot read properties of undefined (reading 'size')");
}

function stateOf({ id, name, size }: Box) {
  failIf("mapped");
  return { boxId: id, name, size, weight: (live.defect === "value" ? 1n : 1) as number };
}

const inputs = {
  name: field.replaces(z.string(), { describe: "Name." }),
  size: field.plain(z.string().optional(), {
    describe: "Size.",
    same(wanted, observed) {
      failIf("same");
      return wanted === observed;
    },
    secret() {
      failIf("secret");
      return false;
    },
  }),
  label: field.local(z.string().optional(), { describe: "Label." }),
};

const outputs = {
  boxId: field.output(z.string(), { describe: "Id." }),
  weight: field.output(z.number(), { describe: "Weight." }),
};

const spec = {
  type: "Box",
  description: "A box.",
  inputs,
  outputs,
} as const;

const find = async (name: string, { boxes }: Boxes) => {
  const found = [...boxes.values()].find((box) => box.name === name);
  return found && { id: found.id, state: stateOf(found) };
};

async function add({ boxes }: Boxes, { name, size = "" }: { name: string; size?: string | undefined }) {
  if (live.isBroken) throw new TypeError("broken");
  const box = { id: `box-${boxes.size + 1}`, name, size: live.isDoneWrong ? "" : size };
  if ([...boxes.values()].some((other) => other.name === name))
    throw new Refusal("taken", { answer: `there is a box "${name}"` });
  boxes.set(box.id, box);
  failIf("created");
  return { id: live.defect === "noId" ? (undefined as unknown as string) : box.id, state: stateOf(box) };
}

const common = {
  async read(id: string, { platform: { boxes } }: { platform: Boxes }) {
    const found = boxes.get(id);
    return found && stateOf(found);
  },
  create: (wanted: { name: string; size?: string | undefined }, { platform }: { platform: Boxes }) =>
    add(platform, wanted),
  async update(_: string, changes: object, { done }: { done(step: object): void }) {
    if (!live.isDoneWrong) return changes;
    done({ width: 1 });
    throw new Refusal("conflict", { answer: "the box is closed" });
  },
  async delete(id: string, { platform: { boxes } }: { platform: Boxes }) {
    boxes.delete(id);
  },
};

const named = resource({
  ...spec,
  ...common,
  async *list({ platform: { boxes } }) {
    yield* boxes.values();
  },
  named: {
    longest: () => 64,
    ids: async ({ platform: { boxes } }) => new Set(boxes.keys()),
    find: (name, { platform }) => find(name, platform),
  },
});

const keyed = resource({
  ...spec,
  ...common,
  keyed: { by: "name", find: (name, { platform }) => find(name, platform) },
});

/** A stack whose program declares the box "blue". `up` returns the error of an update. */
function stack(kind: typeof named | typeof keyed) {
  live = { boxes: new Map(), defect: undefined };
  const boxes = provider({
    name: "boxes",
    version: "1.0.0",
    settings: { description: "Boxes.", schema: z.object({}) },
    resources: [kind],
    connect: () => ({ open: () => ({ platform: live }) }),
  });
  const engine = new FakeEngine(boxes);
  return {
    managed: () => engine.managed.get("blue"),
    async up(): Promise<string | undefined> {
      const context = new Instance(boxes, {}, {}).context({ urn: "", signal: new AbortController().signal });
      const args = { name: "blue", size: "1", label: "a" };
      return engine.up(new Map([["blue", { type: "Box", args }]]), context).then(() => undefined, messageOf);
    },
  };
}

describe.each([
  ["a name", named],
  ["a key", keyed],
] as const)("an object with %s", (_, kind) => {
  const recorded = Object.entries(DEFECTS).filter(([defect]) => kind === named || defect !== "mapped");
  test.each(recorded)("stays in the state despite %s: %s", async (defect) => {
    const { managed, up } = stack(kind);
    live.defect = defect as Defect;
    expect(await up()).toContain(
      defect === "value"
        ? valuesNotRecordable({ title: 'box "blue"', id: "box-1", properties: ["weight"] })
        : 'Box "blue" (box-1) was created and is in the state',
    );
    expect(managed()?.id).toBe("box-1");
    live.defect = undefined;
    expect(await up()).toBeUndefined();
    expect([...live.boxes.values()]).toEqual([{ id: "box-1", name: "blue", size: "1" }]);
    expect(managed()).toMatchObject({ id: "box-1", outputs: { boxId: "box-1", label: "a", weight: 1 } });
  });
});

test("says that nobody knows whether an object exists if neither a look-up nor a list can find it", async () => {
  const { managed, up } = stack(keyed);
  live.defect = "mapped";
  const { answer, advice } = creationUncertain({ kind: "box", name: "blue", isGenerated: false });
  expect(await up()).toContain(`${answer}. ${advice}`);
  expect(managed()).toBeUndefined();
});

test("records no property that nobody declared when an update is only partly done", async () => {
  const { managed, up } = stack(named);
  live.isDoneWrong = true;
  expect(await up()).toContain("the box is closed");
  expect(managed()).toMatchObject({ id: "box-1", outputs: { boxId: "box-1" } });
  expect(managed()?.outputs).not.toHaveProperty("width");
});

test.each([true, false])(
  "adopts nothing if the author's code fails before its request (name taken: %s)",
  async (isTaken) => {
    const { managed, up } = stack(named);
    if (isTaken) live.boxes.set("theirs", { id: "theirs", name: "blue", size: "1" });
    live.isBroken = true;
    expect(await up()).toBe("broken");
    expect(managed()).toBeUndefined();
  },
);
