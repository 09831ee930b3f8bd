import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openExample } from "../../tools/open-example";
import { Pulumi } from "../engine/cli";

test("opens an example with its seed and everything that Pulumi needs, and cleans up afterwards", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-open-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const told = join(folder, "told");
  vi.stubEnv("DBPLATFORM_ORGANIZATION_ID", "of another platform");
  onTestFinished(() => void vi.unstubAllEnvs());
  const script = `
    curl --silent --fail --header "Authorization: Bearer $DBPLATFORM_API_TOKEN" \\
      "$DBPLATFORM_BASE_URL/v1/organizations/$DBPLATFORM_ORGANIZATION/databases" > ${told}.json
    pulumi stack ls --json > ${told}.stacks
    test -f node_modules/pulumi-dbplatform/package.json && echo "$PWD $DBPLATFORM_BASE_URL" > ${told}
    test -z "$DBPLATFORM_ORGANIZATION_ID" || exit 4
    exit 3`;
  expect(await openExample("pull-request", ["sh", "-c", script], Pulumi.bin)).toBe(3);
  expect(JSON.parse(readFileSync(`${told}.json`, "utf8")).databases).toMatchObject([{ Name: "staging" }]);
  expect(JSON.parse(readFileSync(`${told}.stacks`, "utf8"))).toMatchObject([{ name: "pr-17", current: true }]);
  const [project = "", url = ""] = readFileSync(told, "utf8").trim().split(" ");
  expect(existsSync(project)).toBe(false);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});
