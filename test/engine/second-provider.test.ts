// @module-tag more

import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";
import { standIn } from "../laws/second-provider/stand-in";
import { Stack } from "./stack";

const PROVIDER = join(root, "test/laws/second-provider");

/** Builds the provider, and copies the program beside it. Removes both when the test ends. */
async function project(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "second-provider-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plugin = join(folder, "plugin/pulumi-resource-d1");
  await build({ ...BUNDLED, entryPoints: [join(PROVIDER, "main.ts")], outfile: plugin });
  chmodSync(plugin, 0o755);
  cpSync(join(PROVIDER, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
  return folder;
}

const FORGOTTEN = (id: string) => `  forgotten:
    type: d1:Database
    properties:
      name: forgotten
    options:
      import: ${id}
outputs:
`;

test("a provider for another platform restores what is deleted outside, and imports what is deleted", async () => {
  const platform = await standIn();
  onTestFinished(() => platform.close());
  const folder = await project();
  const environment = { D1_ACCOUNT: "acme", D1_API_TOKEN: "right", D1_BASE_URL: platform.url };
  const stack = await Stack.create({ environment, program: { folder } });
  onTestFinished(() => stack.remove());
  const said: string[] = [];
  const run = async ({ code, output }: { readonly code: number; readonly output: string }) => {
    said.push(output);
    expect(code, output).toBe(0);
    return output;
  };
  const asked = async (path: string, method = "GET", body?: object) => {
    const answer = await fetch(`${platform.url}/accounts/acme/d1/database${path}`, {
      method,
      headers: { authorization: "Bearer right" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return ((await answer.json()) as { result: { uuid: string; name: string } | null }).result;
  };

  await run(await stack.up());
  const { id, name } = await stack.outputs();
  expect(name).toMatch(/^generated-[0-9a-f]{7}$/);
  expect(await asked(`/${id}`)).toMatchObject({ name: "orders", read_replication: { mode: "auto" } });
  expect(await run(await stack.up())).toContain("3 unchanged");

  // Deleted outside: a plain preview shows it, and the next update restores it under the same id.
  await asked(`/${id}`, "DELETE");
  const preview = await run(await stack.preview());
  expect(preview).toContain('Database "orders" was deleted on ');
  expect(preview).toContain(`\`pulumi up\` restores database "orders" (${id}) with its data.`);
  expect(preview).toContain("1 to update");
  expect(await asked(`/${id}`)).toBeNull();
  expect(await run(await stack.up())).toContain('Restored database "orders" with its data.');
  expect(await asked(`/${id}`)).toMatchObject({ uuid: id, name: "orders" });
  expect(await run(await stack.preview())).toContain("3 unchanged");

  // Drift is shown and put back.
  await asked(`/${id}`, "PATCH", { read_replication: { mode: "disabled" } });
  expect(await run(await stack.preview())).toContain("[diff: ~readReplication]");
  await run(await stack.up());
  expect(await asked(`/${id}`)).toMatchObject({ read_replication: { mode: "auto" } });

  // The import of a deleted database restores it.
  const { uuid } = (await asked("", "POST", { name: "forgotten" })) ?? { uuid: "" };
  await asked(`/${uuid}`, "DELETE");
  const program = join(folder, "Pulumi.yaml");
  writeFileSync(program, readFileSync(program, "utf8").replace("outputs:\n", FORGOTTEN(uuid)));
  expect(await run(await stack.up())).toContain('Restored database "forgotten" with its data.');
  expect(await asked(`/${uuid}`)).toMatchObject({ uuid, name: "forgotten" });
  expect(await run(await stack.up())).toContain("4 unchanged");

  stack.setEnvironment({ D1_API_TOKEN: "wrong" });
  const { code, output } = await stack.preview();
  expect(code).not.toBe(0);
  said.push(output);
  stack.setEnvironment({ D1_API_TOKEN: "right" });
  await run(await stack.destroy());

  expect(said.join("\n")).not.toMatch(/dbplatform|turso|organization/i);
});
