import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startReferenceApi } from "../../platform/reference/server";
import { launch } from "../../test/page/launch";
import { root } from "../run";
import { recordRestoration } from "./recording";

/** Requests to send first, so that the journal and the audit log on the page are not empty. */
const REQUESTS: readonly [method: string, path: string, body?: object][] = [
  ["GET", "/v1/organizations/shop/groups"],
  ["POST", "/v1/organizations/shop/databases", { name: "loyalty", group: "default" }],
  ["PATCH", "/v1/organizations/shop/databases/loyalty/configuration", { size_limit: "512mb" }],
  ["POST", "/v1/organizations/shop/groups/europe/locations/aws-us-east-2"],
  ["DELETE", "/v1/organizations/shop/databases/orders"],
  ["POST", "/v1/organizations/shop/databases", { name: "drafts", group: "default" }],
  ["DELETE", "/v1/organizations/shop/databases/drafts"],
];

/** Statements to run on the page, each with a part of the report that follows. */
const STATEMENTS: readonly [statements: string, answer: string][] = [
  [
    "create table members (id integer primary key, name text, joined text, card blob); insert into members (name, joined, card) values ('Ada', '2026-02-11', x'4c31'), ('Max', null, x'4c32')",
    "2 statements",
  ],
  ["select * from members", "2 rows"],
];

/**
 * Creates the screenshots in the README: the page of the reference API, and a terminal session that restores a database.
 */
async function main(): Promise<void> {
  await takePicture();
  await recordRestoration();
}

async function takePicture(): Promise<void> {
  const seed = join(root, "examples/reference-api/shop.yaml");
  const api = await startReferenceApi({ seed, now: "2026-03-01T12:00:00Z", deterministic: true, sql: true });
  for (const [method, path, body] of REQUESTS) {
    const headers = { Authorization: `Bearer ${api.apiToken}`, "User-Agent": "turso-cli/1.0.0 (linux/amd64)" };
    await fetch(api.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await api.advance(97);
  }
  const browser = await launch();
  const [colorScheme = "light", width = "1200", height = "1240", file = join(root, "docs/reference-api.webp")] =
    process.argv.slice(2);
  const viewport = { width: Number(width), height: Number(height) };
  const page = await browser.newPage({ colorScheme: colorScheme === "dark" ? "dark" : "light", viewport });
  await page.goto(api.url);
  await page.getByRole("link", { name: "loyalty" }).click();
  await page.getByLabel("Allow changes").check();
  for (const [statements, answer] of STATEMENTS) {
    await page.getByLabel("Statements").fill(statements);
    await page.getByRole("button", { name: "Run the statements" }).click();
    await page.locator(".notice").getByText(answer).waitFor();
  }
  // Uses the DevTools protocol, because Playwright cannot write WebP files, which are about a third of the size of PNG
  // files.
  const session = await page.context().newCDPSession(page);
  const whole = { format: "webp", quality: 70, captureBeyondViewport: height === "0" } as const;
  const { data } = await session.send("Page.captureScreenshot", whole);
  writeFileSync(file, Buffer.from(data, "base64"));
  await browser.close();
  await api.close();
}

void main();
