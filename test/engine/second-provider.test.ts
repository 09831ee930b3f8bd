import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { standIn } from "../../examples/provider/stand-in";
import { BUNDLED } from "../../tools/bundling";
import { gensdk } from "../../tools/gensdk";
import { root } from "../../tools/run";
import { Stack } from "./stack";

const EXAMPLE = join(root, "examples/provider");

/** Builds the provider, and copies the program in this language beside it. Removes both when the test ends. */
async function projectIn(language: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "second-provider-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const plugin = join(folder, "plugin/pulumi-resource-d1");
  const alias = { "pulumi-provider-kit": join(root, "kit/index.ts") };
  await build({ ...BUNDLED, alias, entryPoints: [join(EXAMPLE, "main.ts")], outfile: plugin });
  chmodSync(plugin, 0o755);
  cpSync(join(EXAMPLE, language), join(folder, language), { recursive: true });
  return join(folder, language);
}

/** Generates the SDK for TypeScript from the plugin's schema, compiles it, and installs it in the project. */
async function addPackage(stack: Stack, project: string): Promise<void> {
  const script =
    "pulumi package get-schema ../plugin/pulumi-resource-d1 > schema.json; pulumi schema check schema.json";
  const { code, output } = await stack.shell(script);
  expect(code, output).toBe(0);
  const sdk = join(project, "sdks/d1");
  gensdk(["nodejs", join(project, "schema.json"), sdk]);
  const modules = join(project, "node_modules");
  const install = (name: string, from = join(root, "node_modules", name)) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(from, join(modules, name));
  };
  for (const name of ["@pulumi/pulumi", "@types/node", "typescript"]) install(name);
  execFileSync("tsc", ["-p", sdk], { stdio: "pipe" });
  install("@pulumi/d1", sdk);
}

/** The programs, by language, with what adds a database that comes back by import. */
const PROGRAMS = {
  yaml: {
    file: "Pulumi.yaml",
    importing: (program: string, id: string) =>
      program.replace(
        "outputs:\n",
        `  forgotten:
    type: d1:Database
    properties:
      name: forgotten
    options:
      import: ${id}
outputs:
`,
      ),
  },
  typescript: {
    file: "index.ts",
    importing: (program: string, id: string) =>
      `${program}\nnew d1.Database("forgotten", { name: "forgotten" }, { import: "${id}" });\n`,
  },
};

test.each(["yaml", "typescript"] as const)(
  "a provider for another platform restores what is deleted outside, and imports what is deleted, from %s",
  async (language) => {
    const platform = await standIn();
    onTestFinished(() => platform.close());
    const folder = await projectIn(language);
    const environment = { D1_ACCOUNT: "acme", D1_API_TOKEN: "right", D1_BASE_URL: platform.url };
    const stack = await Stack.create({ environment, program: { folder } });
    onTestFinished(() => stack.remove());
    if (language === "typescript") await addPackage(stack, folder);
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
    expect(preview).toContain(`Database "orders" (${id}) was deleted on `);
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
    const { file, importing } = PROGRAMS[language];
    const program = join(folder, file);
    writeFileSync(program, importing(readFileSync(program, "utf8"), uuid));
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
  },
);
