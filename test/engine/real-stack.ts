import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { Properties } from "../../kit/lifecycle/properties";
import { isOutput, needsIn, type Program, type Value } from "../fake-engine/declared-program";
import type { DeclaredStack, StackOptions } from "../fake-engine/declared-stack";
import type { Change } from "../fake-engine/engine-run";
import { environmentOf } from "./engine-fixture";
import { Stack } from "./stack";
import { isOurs, managedIn, type StateEntry, slotOf, stateEntries, stateFileText } from "./state-entries";

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

/** Opens a stack on the real engine. */
export async function realStack({ api, baseUrl = api.url, settings = {} }: StackOptions): Promise<DeclaredStack> {
  const environment = { ...environmentOf(api), DBPLATFORM_BASE_URL: baseUrl };
  const config = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dbplatform:${name}`, value]));
  let current: Program = new Map();
  const stack = await Stack.create({ environment, config, program: async () => declare(current) });
  let revealed: { readonly encrypted: string; readonly entries: StateEntry[] } | undefined;
  const revealedEntries = async (): Promise<StateEntry[]> => {
    const encrypted = stateFileText(stack);
    if (!encrypted.includes('"ciphertext"')) return stateEntries(stack);
    if (revealed?.encrypted !== encrypted) {
      const { output } = await stack.shell("pulumi stack export --show-secrets");
      const { deployment } = JSON.parse(output) as { deployment: { resources: StateEntry[] } };
      revealed = { encrypted, entries: deployment.resources.filter(isOurs).map(inPlain) };
    }
    return revealed.entries;
  };

  return {
    isReal: true,
    async run(program, { preview, continuesOnError = false }) {
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
      const { code, output } = await (preview
        ? stack.preview({ onEvent })
        : stack.up({ onEvent, continueOnError: continuesOnError }));
      return { changes, said, ...(code === 0 ? {} : { failure: errors.join("\n") || output }) };
    },
    managed: async () => managedIn(await revealedEntries()),
    async forget(slot) {
      const entry = stateEntries(stack).find(({ urn }) => slotOf(urn) === slot);
      const { code, output } = await stack.cli("state", "delete", entry?.urn ?? "", "--yes");
      if (code !== 0) throw new Error(output);
    },
    useToken: (apiToken) => stack.setEnvironment({ DBPLATFORM_API_TOKEN: apiToken }),
    close: async () => stack.remove(),
  };
}

const inPlain = (entry: StateEntry): StateEntry => ({
  ...entry,
  inputs: plain(entry.inputs),
  outputs: plain(entry.outputs),
});

/** Returns values of an exported state, which contains secrets as JSON. */
const plain = (values: Properties): Properties =>
  JSON.parse(JSON.stringify(values), (_, value) => {
    const isSecret = typeof value === "object" && value !== null && "plaintext" in value;
    return isSecret ? JSON.parse(value.plaintext) : value;
  });

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
  for (const [
    slot,
    { type, args, import: id, protect, dependsOn, ignoreChanges, replaceOnChanges, deleteBeforeReplace, formerName },
  ] of program) {
    const outputs = Object.fromEntries(outputsOf(slot).map((name) => [name, undefined]));
    const resolved = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, resolve(value)]));
    const needed = [...needsIn(args), ...(dependsOn ? [dependsOn] : [])].flatMap((name) => made.get(name) ?? []);
    const options: CustomResourceOptions = {
      dependsOn: needed,
      ...(id === undefined ? {} : { import: id }),
      ...(protect ? { protect } : {}),
      ...(deleteBeforeReplace ? { deleteBeforeReplace } : {}),
      ...(ignoreChanges ? { ignoreChanges: [...ignoreChanges] } : {}),
      ...(replaceOnChanges ? { replaceOnChanges: [...replaceOnChanges] } : {}),
      ...(formerName === undefined ? {} : { aliases: [{ name: formerName }] }),
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
