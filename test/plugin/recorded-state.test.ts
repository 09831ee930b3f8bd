import { expect, test } from "vitest";
import * as z from "zod";
import { host } from "../../kit/dynamic/host";
import { kit } from "../../kit/kit";
import {
  createdWithoutId,
  idNotRecordable,
  idNotRecorded,
  secretsRecordedOpenly,
  valuesIgnored,
  valuesNotRecordable,
} from "../../kit/lifecycle/messages";
import { type Properties, UNKNOWN_TEXT } from "../../kit/lifecycle/properties";
import { Engine } from "../../kit/plugin/engine";
import type { Message } from "../../kit/plugin/protocol/message-fields";
import * as message from "../../kit/plugin/protocol/message-types";
import { decodeStructValues, encodeStructValues } from "../../kit/plugin/protocol/values";
import { service } from "../../kit/plugin/service";
import type { UnaryMethod } from "../../kit/plugin/transport/server";
import { CallFailure, status } from "../../kit/plugin/transport/status";
import { logServer } from "./log-server";

/** The values that the functions of the author return, which the compiler would reject, and the ids of deleted objects. */
interface Answers {
  create?: { readonly id?: unknown; readonly state: object };
  update?: object;
  read?: object;
  readonly deleted: string[];
}

const { field, resource, provider } = kit<Answers>();

const share = resource({
  type: "Share",
  description: "A share of a file.",
  inputs: {
    name: field.replaces(z.string(), { describe: "Name of the share." }),
    views: field.plain(z.number().optional(), { describe: "How often the file may be viewed." }),
  },
  outputs: {
    createdAt: field.output(z.string(), { describe: "Time of the creation." }),
    owners: field.output(z.array(z.object({ user: z.string(), since: z.string() })), { describe: "The owners." }),
    token: field.shownOnce(z.string(), { describe: "Token to open the share." }),
  },
  importing: { name: "mail", id: "<ID>", description: "The id is a number." },
  read: async (_id, { platform }) => platform.read as never,
  create: async (_inputs, { platform }) => platform.create as never,
  update: async (_id, _changes, { platform }) => platform.update as never,
  async delete(id, { platform }) {
    platform.deleted.push(id);
  },
});

const providing = (platform: Answers) =>
  provider({
    name: "shares",
    version: "1.0.0",
    settings: { description: "Where the shares are.", schema: z.object({}) },
    resources: [share],
    connect: () => ({ open: () => ({ platform }) }),
  });

const URN = "urn:pulumi:dev::shop::shares:index:Share::mail";
const RIGHT = { name: "mail", views: 3, createdAt: "2026-11-22T07:17:00Z", owners: [{ user: "ada", since: "1815" }] };
const WRONG: [what: string, property: string, value: unknown][] = [
  ["of another type", "createdAt", 1_763_800_000],
  ["with a part of another type", "owners", [{ user: "ada", since: 1815 }]],
  ["that is a date", "createdAt", new Date()],
  ["that is no number", "views", Number.NaN],
  ["that JSON cannot express", "views", 3n],
];
const MADE = { id: "7", state: { ...RIGHT, token: "s3cret" } };

/** Starts the plugin for an engine. `call` sends one request about the resource. */
async function plugin(platform: Answers) {
  const { address, said } = await logServer();
  const methods = service(providing(platform), { engine: new Engine(address), environment: {} });
  const send = async <Request, Response>(
    name: string,
    [request, response]: readonly [Message<Request>, Message<Response>],
    content: Partial<Request>,
  ): Promise<Response> => {
    const { unary } = methods[`/pulumirpc.ResourceProvider/${name}`] as UnaryMethod;
    return response.decode(Buffer.from(await unary(request.encode(content), { signal: new AbortController().signal })));
  };
  await send("Configure", [message.ConfigureRequest, message.ConfigureResponse], { args: encodeStructValues({}) });
  const [urn, id] = [URN, "7"];
  const [news, oldInputs] = [encodeStructValues({ name: "mail", views: 3 }), encodeStructValues({ name: "mail" })];
  return {
    said,
    create: () =>
      send("Create", [message.CreateRequest, message.CreateResponse], { urn, properties: news }).then(heard, failed),
    update: (olds: Properties) =>
      send("Update", [message.UpdateRequest, message.UpdateResponse], {
        ...{ urn, id, olds: encodeStructValues(olds, ["token"]), news, oldInputs },
      }).then(heard, failed),
    read: (recorded: Properties | undefined, secrets = ["token"], secretInputs: readonly string[] = []) =>
      send("Read", [message.ReadRequest, message.ReadResponse], {
        ...{ urn, id },
        ...(recorded && {
          properties: encodeStructValues(recorded, secrets),
          inputs: encodeStructValues({ name: "mail", views: 3 }, secretInputs),
        }),
      }).then(heard, failed),
    diff: (olds: Properties) =>
      send("Diff", [message.DiffRequest, message.DiffResponse], {
        ...{ urn, id, olds: encodeStructValues(olds, ["token"]), news, oldInputs: news },
      }),
    remove: (recorded: string) =>
      send("Delete", [message.DeleteRequest, message.Empty], {
        ...{ urn, id: recorded, properties: encodeStructValues(MADE.state, ["token"]) },
      }).then(() => "deleted", failed),
  };
}

interface Heard {
  readonly id?: string;
  readonly properties?: Buffer | undefined;
  readonly inputs?: Buffer | undefined;
}

const heard = ({ id, properties, inputs }: Heard) => ({
  ...(id === undefined ? {} : { id }),
  state: decodeStructValues(properties).properties,
  secrets: [...decodeStructValues(properties).secrets],
  ...(inputs && { secretInputs: [...decodeStructValues(inputs).secrets] }),
});

/** Returns a failed call as the engine sees it, with what the engine then records. */
function failed(thrown: unknown) {
  if (!(thrown instanceof CallFailure)) throw thrown;
  const detail = thrown.details && message.Status.decode(Buffer.from(thrown.details)).details[0]?.value;
  const incomplete = detail && message.ErrorResourceInitFailed.decode(detail);
  return {
    code: thrown.code,
    message: thrown.message,
    ...(incomplete && { ...heard(incomplete), inputs: decodeStructValues(incomplete.inputs).properties }),
  };
}

const incomplete = (property: string, state: Properties) => ({
  code: status.UNKNOWN,
  message: expect.stringContaining(valuesNotRecordable({ title: 'share "mail"', id: "7", properties: [property] })),
  id: "7",
  state,
});

const without = (property: string, state: Properties): Properties =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== property));

test.each(WRONG)("records a new object without a value %s, and reports the defect", async (_, property, value) => {
  const { create } = await plugin({ create: { ...MADE, state: { ...MADE.state, [property]: value } }, deleted: [] });
  expect(await create()).toMatchObject({ ...incomplete(property, without(property, MADE.state)), secrets: ["token"] });
});

test("records a new object under the text of a numeric id, and reports the defect", async () => {
  const { create } = await plugin({ create: { ...MADE, id: 7 }, deleted: [] });
  expect(await create()).toMatchObject(incomplete("id", MADE.state));
});

test.each([
  [undefined, createdWithoutId({ type: "Share" })],
  ["", createdWithoutId({ type: "Share" })],
  [" ", idNotRecordable({ title: 'share "mail"' })],
])("reports a creation that returns the id %j", async (id, message) => {
  const { create } = await plugin({ create: { ...MADE, id }, deleted: [] });
  expect(await create()).toEqual({ code: status.INTERNAL, message: expect.stringContaining(message) });
});

test.each(WRONG)("records an updated object without a value %s, and reports the defect", async (_, property, value) => {
  const { update } = await plugin({ update: { ...RIGHT, [property]: value }, deleted: [] });
  const found = await update({ ...MADE.state, views: 2 });
  expect(found).toMatchObject(incomplete(property, without(property, MADE.state)));
});

test.each(WRONG)(
  "reads and imports an object without a value %s, and reports the defect",
  async (_, property, value) => {
    const { read } = await plugin({ read: { ...RIGHT, [property]: value }, deleted: [] });
    expect(await read(MADE.state)).toMatchObject(incomplete(property, without(property, MADE.state)));
    const imported = await read(undefined);
    expect(imported).toMatchObject(incomplete(property, without(property, RIGHT)));
    expect(imported).toMatchObject({ inputs: without(property, { name: "mail", views: 3 }) });
  },
);

test("records an object of a class", async () => {
  class Owner {
    readonly since = "1815";
    constructor(readonly user: string) {}
  }
  const owners = [new Owner("ada")];
  const { create } = await plugin({ create: { ...MADE, state: { ...MADE.state, owners } }, deleted: [] });
  expect(await create()).toMatchObject({ id: "7", state: MADE.state });
});

test("accepts null for a value that is missing", async () => {
  const { create } = await plugin({ create: { ...MADE, state: { ...MADE.state, createdAt: null } }, deleted: [] });
  expect(await create()).toMatchObject({ id: "7", state: { createdAt: null, token: "s3cret" } });
});

test.each([
  ["of another type", "createdAt", 1815],
  ["that is not known", "createdAt", UNKNOWN_TEXT],
  ["of another type", "views", "3"],
])("ignores a recorded value %s, and the next read replaces it", async (_, property, value) => {
  const { read, diff, said } = await plugin({ read: RIGHT, deleted: [] });
  const recorded = { ...MADE.state, [property]: value };
  expect(await diff(recorded)).toMatchObject({ replaces: [], diffs: property === "views" ? ["views"] : [] });
  expect(await read(recorded)).toMatchObject({ id: "7", state: MADE.state });
  expect(said).toEqual([valuesIgnored({ title: 'share "mail"', id: "7", properties: [property] })]);
});

test("accepts a state that an earlier version has recorded, with other properties", async () => {
  const { read, diff, said } = await plugin({ read: RIGHT, deleted: [] });
  const recorded = { name: "mail", views: 3, size: 12, createdAt: null };
  expect(await diff(recorded)).toMatchObject({ diffs: [] });
  expect(await read(recorded)).toMatchObject({ state: RIGHT });
  expect(said).toEqual([]);
});

test.each(["", " "])("deletes nothing if the state contains no id: %j", async (id) => {
  const platform: Answers = { deleted: [] };
  const { remove } = await plugin(platform);
  expect(await remove(id)).toMatchObject({
    code: status.FAILED_PRECONDITION,
    message: expect.stringContaining(idNotRecorded({ kind: "share" }).answer),
  });
  expect(platform.deleted).toEqual([]);
  expect(await remove("7")).toBe("deleted");
  expect(platform.deleted).toEqual(["7"]);
});

test("warns of a secret that the state contains in plain text, and encrypts it again", async () => {
  const { read, said } = await plugin({ read: RIGHT, deleted: [] });
  expect(await read(MADE.state)).toMatchObject({ secrets: ["token"] });
  expect(said).toEqual([]);
  expect(await read(MADE.state, [])).toMatchObject({ secrets: ["token"] });
  expect(said).toEqual([secretsRecordedOpenly({ title: 'share "mail"', id: "7", properties: ["token"] })]);
});

test.each([
  ["the recorded state", ["token", "views"], []],
  ["the recorded inputs", ["token"], ["views"]],
])("keeps secret what the program has marked as secret in %s when it reads the object", async (_, state, inputs) => {
  const { read } = await plugin({ read: RIGHT, deleted: [] });
  const found = await read(MADE.state, state, inputs);
  expect(found).toMatchObject({ secrets: ["views", "token"], secretInputs: ["views"] });
});

/** Returns the dynamic provider of the resource. */
function dynamicProvider(platform: Answers) {
  const served = host(providing(platform), []).providers.Share;
  if (!served) throw new Error("there is no such resource");
  return served as Required<typeof served>;
}

test.each(WRONG)("a dynamic provider records an object without a value %s", async (_, property, value) => {
  const state = { ...MADE.state, [property]: value };
  const made = dynamicProvider({ create: { ...MADE, state }, update: state, deleted: [] });
  const expected = {
    id: "7",
    reasons: [valuesNotRecordable({ title: 'share "mail"', id: "7", properties: [property] })],
    properties: { ...without(property, MADE.state), __inputs: { name: "mail", views: 3 } },
  };
  const inputs = { name: "mail", views: 3 };
  await expect(made.create(inputs)).rejects.toMatchObject(expected);
  const olds = { ...MADE.state, views: 2, __inputs: { name: "mail", views: 2 } };
  await expect(made.update("7", olds, inputs)).rejects.toMatchObject(expected);
});

test("a dynamic provider ignores a recorded value of another type, and deletes nothing without an id", async () => {
  const platform: Answers = { read: RIGHT, deleted: [] };
  const served = dynamicProvider(platform);
  const outputs = { ...MADE.state, createdAt: 1815, __inputs: { name: "mail", views: 3 } };
  expect(await served.read("7", outputs)).toMatchObject({ props: MADE.state });
  await expect(served.delete("", outputs)).rejects.toThrow(idNotRecorded({ kind: "share" }).answer);
  expect(platform.deleted).toEqual([]);
});
