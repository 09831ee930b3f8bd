// @module-tag secrets-stay-secret

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { toCallFailure } from "../../kit/plugin/call-failure";
import { create } from "../../kit/steps/create";
import { remove } from "../../kit/steps/delete";
import { readImported } from "../../kit/steps/read";
import { update } from "../../kit/steps/update";
import { failedResponse } from "../../provider/client/messages";
import { database } from "../../provider/resources/database/database";
import { apiToken } from "../../provider/resources/token/api-token";
import { lifecycleFixture } from "../lifecycle/lifecycle-fixture";

const ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
const MINTED = `eyJhbGciOiJFZERTQSJ9.${"eyJp".padEnd(60, "Z")}.${"s3cret".repeat(12)}`;
const dumpUrl = "https://someone:s3cret-password@dumps.example.com/a.sql?X-Signature=s3cret%2Fsignature";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a platform that returns this response to every request. */
async function platform(answer: Answer): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/**
 * Returns two secrets that a careless or hostile server could echo in a response: the credential of the request, and a
 * token that the server created.
 */
const secretsOf = ({ headers }: IncomingMessage) => `${headers.authorization} ${MINTED}`;

const json = (status: number, body: (secrets: string) => unknown): Answer => {
  return (request, response) => response.writeHead(status).end(JSON.stringify(body(secretsOf(request))));
};

test.each<[string, Answer]>([
  ["in an error message", json(403, (secrets) => ({ error: secrets }))],
  ["in an error that is not a string", json(400, (secrets) => ({ error: { reason: secrets }, code: secrets }))],
  ["in the error for a taken name", json(409, (secrets) => ({ error: `${secrets} already exists` }))],
  ["in an HTML page", (request, response) => response.writeHead(404).end(`<pre>${secretsOf(request)}</pre>`)],
  [
    "in a response of the wrong shape",
    json(200, (secrets) => ({ [secrets]: secrets, databases: secrets, tokens: secrets })),
  ],
  ["in a truncated response", (request, response) => response.end(`{"database": "${secretsOf(request)}`)],
  ["with an unknown status", json(207, (secrets) => ({ error: secrets }))],
  [
    "in a redirect",
    (request, response) => response.writeHead(302, { location: `/?${secretsOf(request)}` }).end(secretsOf(request)),
  ],
  [
    "in a response that is not HTTP",
    (request, response) => response.socket?.end(`ICY 200\r\n${secretsOf(request)}\r\n\r\n`),
  ],
  ...[150, 160, 170, 180, 200, 250, 290, 295].map((before): [string, Answer] => [
    `after ${before} characters, where the message is truncated`,
    json(400, (secrets) => ({ error: ".".repeat(before) + secrets })),
  ]),
])("never shows a credential or token that the platform repeats %s", async (_, answer) => {
  const { url } = await platform(answer);
  const here = await lifecycleFixture({ settings: { baseUrl: url, organizationId: ID } });
  const group = { apiToken: await here.api.token({ group: "default", scopes: ["full-access"] }) };
  const pinned = await lifecycleFixture({ settings: { baseUrl: url, organizationId: ID, ...group } });
  const args = { name: "orders", group: "default" };
  const state = { ...args, dbId: ID, organizationId: ID };
  const said: string[] = [];
  for (const { context, said: warned } of [here, pinned]) {
    const attempts = [
      create(database, args, context),
      database.create(args, { ...context.platform, replaced: undefined }),
      readImported(database, ID, context),
      update(database, { id: ID, oldInputs: args, state: { ...state, deletedAt: "x" }, news: args }, context),
      remove(database, { id: ID, state }, context),
      create(apiToken, { name: "ci" }, context),
      readImported(apiToken, "some-token", context),
      remove(apiToken, { id: "some-token", state: { name: "ci", token: MINTED, organizationId: ID } }, context),
    ];
    const failures = await Promise.all(attempts.map((attempt) => attempt.catch((thrown: unknown) => thrown)));
    const refused = failures.filter((failure) => failure instanceof Error);
    expect(refused.length).toBeGreaterThan(4);
    said.push(
      ...refused.map((failure) => `${failure.message} ${inspect(toCallFailure(failure, "dbplatform"))}`),
      ...warned,
    );
  }
  for (const secret of [here.api.apiToken, group.apiToken, MINTED, "s3cret"])
    expect(said.filter((text) => text.includes(secret.slice(0, 24)))).toEqual([]);
});

test("never shows the secret in a dump's address, even if the platform repeats or truncates the address", async () => {
  const here = await lifecycleFixture();
  const args = { name: "orders", group: "default", seed: { dumpUrl } };
  const repeated = ["", "someone:", "s3cret-", "X-Signature", "s3cret%2F"].map((part) =>
    dumpUrl.slice(dumpUrl.indexOf(part)),
  );
  for (const text of [...repeated, ...repeated.map(decodeURIComponent)])
    for (const before of [0, 240, 250, 260, 270, 280, 285, 290, 293]) {
      here.api.fault({ operation: "createDatabase", status: 400, body: { error: `${".".repeat(before)} ${text}` } });
      const failure: Error = await create(database, args, here.context).then(
        () => expect.fail("nothing was refused"),
        (thrown) => thrown,
      );
      expect(failure.message).toContain(failedResponse({ status: 400, error: "" }));
      expect(`${failure.message} ${here.said}`).not.toMatch(/s3c/);
    }
});

test("does not send a credential to the target of a redirect", async () => {
  const elsewhere = await platform(json(200, () => ({})));
  for (const status of [301, 302, 303, 307, 308]) {
    const address = elsewhere.url.replace("127.0.0.1", "localhost");
    const redirecting = await platform((request, response) =>
      response.writeHead(status, { location: address + request.url }).end(),
    );
    const { context } = await lifecycleFixture({ settings: { baseUrl: redirecting.url } });
    const { api } = context.platform.platform;
    for (const attempt of [
      api.listGroups(),
      api.createDatabase({ body: { name: "orders", group: "default" } }),
      api.deleteGroup({ groupName: "default" }),
    ])
      await expect(attempt).rejects.toThrow(failedResponse({ status, error: "" }));
    expect(redirecting.asked).toHaveLength(3);
  }
  expect(elsewhere.asked).toEqual([]);
});
