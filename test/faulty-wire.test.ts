import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { faultyWire } from "./faulty-wire";

test("a wire resets the client's connection when the platform resets its own", async () => {
  const platform = createServer(({ socket }) => void socket.resetAndDestroy());
  await once(platform.listen(0, "127.0.0.1"), "listening");
  const wire = await faultyWire(`http://127.0.0.1:${(platform.address() as AddressInfo).port}`);
  await expect(fetch(wire.url)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  platform.close();
  await once(platform, "close");
  await expect(fetch(wire.url)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  await wire.close();
});
