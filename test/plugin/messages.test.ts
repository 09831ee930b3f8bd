import { createRequire } from "node:module";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { CheckRequest, DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect, test } from "vitest";
import type { Message } from "../../kit/plugin/protocol/message-fields";
import * as messages from "../../kit/plugin/protocol/message-types";
import { encodeStructValues } from "../../kit/plugin/protocol/values";
import { service } from "../../kit/plugin/service";
import { dbplatform } from "../../provider/provider";

interface Generated {
  serializeBinary(): Uint8Array;
  toObject(): Record<string, unknown>;
}
type GeneratedClass = { deserializeBinary(bytes: Uint8Array): Generated };

/** Message classes that Pulumi generates from its protocol definitions. */
const GENERATED: Record<string, GeneratedClass> = Object.assign(
  {},
  ...["provider", "plugin", "engine", "status"].map((name) =>
    createRequire(__filename)(`@pulumi/pulumi/proto/${name}_pb`),
  ),
);

const described = Object.entries(messages).flatMap(([name, value]) =>
  "decode" in value ? [[name, value as Message<Record<string, unknown>>] as const] : [],
);
const fields = described.flatMap(([name, message]) =>
  Object.entries(message.decode(Buffer.alloc(0))).map(([field, absent]) => [name, field, absent] as const),
);

/** Returns a value that differs from the default of its field. */
function present(absent: unknown): unknown {
  if (absent === "") return "ünï";
  if (absent === false) return true;
  if (absent === 0) return 3;
  return Array.isArray(absent) ? ["a", "b"] : encodeStructValues({ a: "b" });
}

/**
 * Returns the names of the fields that have a value, in lower case and without the prefixes and suffixes that the
 * generated code adds, as in `ignorechangesList`.
 */
const presentIn = (content: Record<string, unknown>) =>
  Object.entries(content)
    .filter(([, value]) => value && (!Array.isArray(value) || value.length > 0))
    .map(([name]) => name.toLowerCase().replace(/^pb_|(list|map)$/g, ""));

/** Example contents of the message types that have nested messages. */
const EMBEDDED: Record<string, Record<string, unknown>[]> = {
  CheckRequest: [{ autonaming: { proposedName: "x", mode: messages.AutonamingMode.DISABLE } }],
  CheckResponse: [{ failures: [{ property: "name", reason: "too long" }, { property: "group" }] }],
  InvokeResponse: [{ failures: [{ property: "name", reason: "too long" }] }],
  DiffResponse: [{ detailedDiff: [{ key: "name", value: { kind: messages.PropertyDiffKind.UPDATE_REPLACE } }] }],
  ListResponse: [{ computed: {} }, { result: { id: "a", name: "b" } }],
  Status: [{ details: [{ typeUrl: "a", value: encodeStructValues({ a: "b" }) }] }],
};

const generatedFrom = (name: string, bytes: Buffer) =>
  (GENERATED[name] as GeneratedClass).deserializeBinary(new Uint8Array(bytes));

test.each(fields.filter(([name, field]) => !EMBEDDED[name]?.some((content) => field in content)))(
  "the field %s.%s has the same name and number as in Pulumi's protocol",
  (name, field, absent) => {
    const message = Object.fromEntries(described)[name] as Message<Record<string, unknown>>;
    const value = present(absent);
    const generated = generatedFrom(name, message.encode({ [field]: value }));
    expect(presentIn(generated.toObject())).toEqual([field.toLowerCase()]);
    expect(message.decode(Buffer.from(generated.serializeBinary()))[field]).toEqual(value);
  },
);

const embedded = Object.entries(EMBEDDED).flatMap(([name, all]) => all.map((content) => [name, content] as const));

test.each(embedded)("encodes the messages embedded in %s so that Pulumi can read them", (name, content) => {
  const message = Object.fromEntries(described)[name] as Message<Record<string, unknown>>;
  const generated = generatedFrom(name, message.encode(content));
  expect(presentIn(generated.toObject())).toEqual(Object.keys(content).map((field) => field.toLowerCase()));
  expect(message.decode(Buffer.from(generated.serializeBinary()))).toMatchObject(content);
  // The generated class encodes the message to the same bytes, so it must have read every field.
  expect(generated.serializeBinary()).toEqual(new Uint8Array(message.encode(content)));
});

test("gives every enumeration value the same number as Pulumi's protocol", () => {
  expect(messages.DiffChanges).toEqual({
    UNKNOWN: DiffResponse.DiffChanges.DIFF_UNKNOWN,
    NONE: DiffResponse.DiffChanges.DIFF_NONE,
    SOME: DiffResponse.DiffChanges.DIFF_SOME,
  });
  expect(PropertyDiff.Kind).toEqual(messages.PropertyDiffKind);
  expect(CheckRequest.AutonamingOptions.Mode).toEqual(messages.AutonamingMode);
  expect(LogSeverity).toEqual(messages.LogSeverity);
});

test("serves every ResourceProvider method except those for components and parameterization", () => {
  const paths = Object.values(ResourceProviderService as Record<string, { path: string }>).map(({ path }) => path);
  const served = Object.keys(service(dbplatform, { engine: undefined, environment: {} }));
  expect(paths).toEqual(expect.arrayContaining(served));
  const left = paths.filter((path) => !served.includes(path)).map((path) => path.split("/")[2]);
  expect(left.sort()).toEqual(["Call", "Construct", "Parameterize"]);
});

test("decodes a list of two hundred thousand items in linear time", () => {
  const ignoreChanges = Array.from({ length: 200_000 }, String);
  const { DiffRequest } = messages;
  expect(DiffRequest.decode(DiffRequest.encode({ ignoreChanges })).ignoreChanges).toEqual(ignoreChanges);
  expect(DiffRequest.decode(Buffer.alloc(0)).ignoreChanges).toEqual([]);
});
