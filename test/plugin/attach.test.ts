import { expect, test } from "vitest";
import { ProviderHandshakeRequest, ProviderHandshakeResponse } from "../../kit/plugin/protocol/message-types";
import { service } from "../../kit/plugin/service";
import type { UnaryMethod } from "../../kit/plugin/transport/server";
import { dbplatform } from "../../provider/provider";

test("accepts a handshake without the engine's address", async () => {
  const methods = service(dbplatform, { engine: undefined, environment: {} });
  const { unary } = methods["/pulumirpc.ResourceProvider/Handshake"] as UnaryMethod;
  const call = { signal: new AbortController().signal };
  const answer = await unary(ProviderHandshakeRequest.encode({}), call);
  expect(ProviderHandshakeResponse.decode(Buffer.from(answer))).toMatchObject({ acceptSecrets: true });
});
