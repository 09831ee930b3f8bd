import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { Properties } from "../../kit/lifecycle/properties";
import { isOutput, needsIn, type Program, type Value } from "../fake-engine/declared-program";
import type { DeclaredStack, Managed, StackOptions } from "../fake-engine/declared-stack";
import type { Change } from "../fake-engine/engine-run";
import { environmentOf } from "./engine-fixture";
import { Stack } from "./stack";

/** Changes by the engine's names of operations. Other operations change nothing on the platform. */
const KINDS: Readonly<Record<string, Change["kind"]>> = {
  create: "create",
  "create-replacement": "create",
  update: "update",
  delete: "delete",
  "delete-replaced": "delete",
  import: "import",
  "import-replacement": "import",
};

interface Entry {
  readonly urn: string;
  readonly id: string;
  readonly type: string;
  readonly delete?: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Opens a stack on the real engine. */
export async function realStack({ api, baseUrl = api.url, driftDetection }: StackOptions): Promise<DeclaredStack> {
  const environment = { ...environmentOf(api), DBPLATFORM_BASE_URL: baseUrl };
  const config: Record<string, string> = driftDetection ? { "dbplatform:driftDetection": driftDetection } : {};
  let current: Program = new Map();
  const stack = await Stack.create({ environment, config, program: async () => declare(current) });
  // Reads the state file directly, because running a CLI command would be slower.
  const file = join(stack.folder, "state/.pulumi/stacks/test/dev.json");
  const isOurs = ({ type }: { readonly type: string }) => type.startsWith("dbplatform:");
  const entries = (): Entry[] => {
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8"));
    return (checkpoint.latest?.resources ?? []).filter(isOurs);
  };
  let revealed: { readonly encrypted: string; readonly entries: Entry[] } | undefined;
  const revealedEntries = async (): Promise<Entry[]> => {
    const encrypted = readFileSync(file, "utf8");
    if (!encrypted.includes('"ciphertext"')) return entries();
    if (revealed?.encrypted !== encrypted) {
      const { output } = await stack.shell("pulumi stack export --show-secrets", { runs: 0 });
      const { deployment } = JSON.parse(output) as { deployment: { resources: Entry[] } };
      revealed = { encrypted, entries: deployment.resources.filter(isOurs).map(inPlain) };
    }
    return revealed.entries;
  };

  return {
    isReal: true,
    async run(program, { preview }) {
      current = program;
      const changes: Change[] = [];
      const said: string[] = [];
      const errors: string[] = [];
      const onEvent = ({ resourcePreEvent, diagnosticEvent }: EngineEvent) => {
        const { op = "", urn = "", type = "", detailedDiff = {} } = resourcePreEvent?.metadata ?? {};
        const kind = isOurs({ type }) ? KINDS[op] : undefined;
        if (kind) changes.push({ slot: slotOf(urn), kind, properties: Object.keys(detailedDiff ?? {}) });
        const { severity, message = "", urn: about } = diagnosticEvent ?? {};
        if (!about || !isOurs({ type: typeOf(about) })) return;
        (severity === "error" ? errors : said).push(message.trim());
      };
      const { code, output } = await (preview ? stack.preview({ onEvent }) : stack.up({ onEvent }));
      return { changes, said, ...(code === 0 ? {} : { failure: errors.join("\n") || output }) };
    },
    managed: async () =>
      new Map(
        (await revealedEntries())
          .filter((entry) => !entry.delete)
          .map(({ urn, id, type, inputs, outputs }): [string, Managed] => [
            slotOf(urn),
            { type: type.split(":").at(-1) ?? "", id, inputs, outputs },
          ]),
      ),
    async forget(slot) {
      const entry = entries().find(({ urn }) => slotOf(urn) === slot);
      const { code, output } = await stack.cli("state", "delete", entry?.urn ?? "", "--yes");
      if (code !== 0) throw new Error(output);
    },
    revealed: async () =>
      new Map(
        (await revealedEntries()).filter((entry) => !entry.delete).map(({ urn, outputs }) => [slotOf(urn), outputs]),
      ),
    useToken: (apiToken) => stack.setEnvironment({ DBPLATFORM_API_TOKEN: apiToken }),
    close: async () => stack.remove(),
  };
}

const inPlain = (entry: Entry): Entry => ({ ...entry, inputs: plain(entry.inputs), outputs: plain(entry.outputs) });

/** Returns values of an exported state, which contains secrets as JSON. */
const plain = (values: Properties): Properties =>
  JSON.parse(JSON.stringify(values), (_, value) => {
    const isSecret = typeof value === "object" && value !== null && "plaintext" in value;
    return isSecret ? JSON.parse(value.plaintext) : value;
  });

const slotOf = (urn: string): string => urn.split("::").at(-1) ?? "";
const typeOf = (urn: string): string => urn.split("::").at(-2)?.split("$").at(-1) ?? "";

/** A resource of a type that has no class. */
class AnyResource extends CustomResource {}

function declare(program: Program): void {
  const made = new Map<string, CustomResource>();
  const resolve = (value: Value): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (isOutput(value)) return (made.get(value.of) as unknown as Record<string, unknown>)[value.output];
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]));
  };
  // A resource of no class of its own has the outputs that its arguments name, so those that others need are named.
  const outputsOf = (slot: string): string[] =>
    [...program.values()].flatMap(({ args }) => outputsIn(Object.values(args), slot)).filter((name) => name !== "id");
  for (const [slot, { type, args, import: id, protect, after }] of program) {
    const outputs = Object.fromEntries(outputsOf(slot).map((name) => [name, undefined]));
    const resolved = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value)]));
    const dependsOn = [...needsIn(args), ...(after ? [after] : [])].flatMap((name) => made.get(name) ?? []);
    const options: CustomResourceOptions = {
      dependsOn,
      ...(id === undefined ? {} : { import: id }),
      ...(protect ? { protect } : {}),
    };
    made.set(slot, new AnyResource(`dbplatform:index:${type}`, slot, { ...outputs, ...resolved }, options));
  }
}

const outputsIn = (values: readonly Value[], slot: string): string[] =>
  values.flatMap((value) => {
    if (isOutput(value)) return value.of === slot ? [value.output] : [];
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? outputsIn(Object.values(value), slot)
      : [];
  });
