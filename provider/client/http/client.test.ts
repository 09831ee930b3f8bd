import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { responseTimeout } from "../messages";
import { HttpConnection } from "./client";

const DB_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";

async function unanswered() {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connection = new HttpConnection({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ apiToken: "token", userAgent: "test", answerTimeoutMs: 100, firstWaitMs: 1 },
  });
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });
  return connection.client({ signal: new AbortController().signal });
}

test("reports that a deletion may have succeeded when its response times out", async () => {
  const client = await unanswered();
  await expect(client.deleteDatabaseById({ organizationId: DB_ID, databaseId: DB_ID })).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining(responseTimeout({ seconds: 0.1, reason: "UND_ERR_HEADERS_TIMEOUT" })),
    uncertain: true,
  });
});
