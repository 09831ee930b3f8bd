// @module-tag secrets-stay-secret

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer as createSocketServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  DiffRequest,
  type DiffResponse,
  InvokeRequest,
  type InvokeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test } from "vitest";
import { decodeStructValues } from "../../kit/plugin/protocol/values";
import { startReferenceApi } from "../../platform/reference/server";
import { unreachablePlatform, untrustedCertificate } from "../../provider/client/messages";
import { root } from "../../tools/run";
import { SEED } from "../engine/seed";
import { foreignHosts } from "../foreign-hosts";

const TLS = join(__dirname, "tls/platform-for-tests");
const CERTIFICATE = `${TLS}.cert.pem`;

async function plugin(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, "dist/plugin.js")], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const port = Number(await new Promise((resolve) => child.stdout.once("data", resolve)));
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
  });
  onTestFinished(() => client.close());
  return { port, client };
}

/** Makes the plugin look up the organization. Returns the organization's slug or the plugin's error message. */
async function organization(settings: Record<string, string>, environment: Record<string, string>): Promise<string> {
  const { client } = await plugin(environment);
  await new Promise<void>((resolve, reject) =>
    client.configure(new ConfigureRequest().setArgs(Struct.fromJavaScript(settings)), (failure) =>
      failure ? reject(failure) : resolve(),
    ),
  );
  const request = new InvokeRequest().setTok("dbplatform:index:getOrganization").setArgs(new Struct());
  return new Promise((resolve) =>
    client.invoke(request, (failure, answer: InvokeResponse) =>
      resolve(failure ? failure.details : String(answer.getReturn()?.toJavaScript().slug)),
    ),
  );
}

async function platform(tls = true) {
  const files = { cert: readFileSync(CERTIFICATE, "utf8"), key: readFileSync(`${TLS}.key.pem`, "utf8") };
  const api = await startReferenceApi({ seed: SEED, ...(tls ? { tls: files } : {}) });
  onTestFinished(() => api.close());
  const { organization: slug, apiToken, url } = api;
  return { api, url, port: new URL(url).port, settings: { organization: slug, apiToken, baseUrl: url } };
}

test("sends nothing if the platform's certificate is untrusted", async () => {
  const { api, settings } = await platform();
  const refused = await organization(settings, {});
  const { answer, advice } = untrustedCertificate({ reason: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  expect(refused).toContain(`${answer}. ${advice}`);
  expect(api.journal()).toEqual([]);
});

test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])(
  "trusts the certificates in %s and the root certificates of Node.js and the system",
  async (variable) => {
    const { settings } = await platform();
    expect(await organization(settings, { [variable]: CERTIFICATE })).toBe("acme");
  },
);

test("uses the proxy from the environment, and bypasses it for the hosts in NO_PROXY", async () => {
  const { port, settings } = await platform();
  const behind = { ...settings, baseUrl: `https://platform.test:${port}` };
  const { url, asked } = await foreignHosts(Number(port));
  const environment = { HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: CERTIFICATE };
  expect(await organization(behind, environment)).toBe("acme");
  expect(asked).toEqual([`platform.test:${port}`]);
  expect(await organization(behind, { HTTPS_PROXY: url })).toContain("NODE_EXTRA_CA_CERTS");

  asked.length = 0;
  const past = await organization(behind, { ...environment, NO_PROXY: "platform.test" });
  expect(past).toContain(unreachablePlatform({ reason: "" }).advice);
  expect(await organization(settings, environment)).toBe("acme");
  expect(asked).toEqual([]);
});

test("if the proxy cannot connect, names the proxy as the cause, and treats the request as not sent", async () => {
  const { port, settings } = await platform();
  const { url } = await foreignHosts(Number(port), { status: 407 });
  const refused = await organization({ ...settings, baseUrl: `https://platform.test:${port}` }, { HTTPS_PROXY: url });
  expect(refused).toMatch(/could not be reached \(Proxy response \(407\)/);
});

test("marks the provider's `apiToken` as a secret, and reports a changed token without showing it", async () => {
  const { client } = await plugin();
  const [before, after] = ["s3cret-before", "s3cret-after"].map((apiToken) =>
    Struct.fromJavaScript({ apiToken, organization: "acme" }),
  );
  const checked = await new Promise<CheckResponse>((resolve, reject) =>
    client.checkConfig(new CheckRequest().setNews(before), (failure, answer) =>
      failure ? reject(failure) : resolve(answer),
    ),
  );
  expect(decodeStructValues(Buffer.from(checked.getInputs()?.serializeBinary() ?? []))).toEqual({
    properties: { apiToken: "s3cret-before", organization: "acme" },
    secrets: new Set(["apiToken"]),
  });
  const changed = new DiffRequest().setOldInputs(before).setOlds(before).setNews(after);
  const diff = await new Promise<DiffResponse>((resolve, reject) =>
    client.diffConfig(changed, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
  );
  expect(diff.toObject()).toMatchObject({ diffsList: ["apiToken"], replacesList: [] });
  expect(JSON.stringify(diff.toObject())).not.toContain("s3cret");
});

/**
 * Loopback addresses other than the plugin's own, and addresses that other machines can reach. The plugin must not
 * listen on any of them.
 */
const OTHER_ADDRESSES = [
  "127.0.0.2",
  ...Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  ),
];

const answers = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2_000 }, () => resolve(true));
    for (const end of ["error", "timeout"]) socket.once(end, () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });

test("listens only on the loopback address", async () => {
  const { port } = await plugin();
  expect(await answers(port, "127.0.0.1")).toBe(true);
  for (const host of OTHER_ADDRESSES) expect(await answers(port, host), host).toBe(false);

  const everywhere = createSocketServer().listen(0);
  onTestFinished(() => void everywhere.close());
  await new Promise((resolve) => everywhere.once("listening", resolve));
  const reached = OTHER_ADDRESSES.map((host) => answers((everywhere.address() as AddressInfo).port, host));
  expect(await Promise.all(reached)).toContain(true);
});
