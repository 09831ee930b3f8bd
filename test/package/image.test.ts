import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { KEY_UNUSABLE } from "../../platform/reference/messages";
import { packPlatform } from "../../tools/release/package";
import { root } from "../../tools/run";
import { leaksIn } from "../engine/secrets";
import { full } from "../full";
import { type ContainerOptions, canRunImages, Image, ImageContainer } from "./container";

/** How often a container starts in the test that the first requests succeed. */
const STARTS = full ? 100 : 6;

const KEY = randomBytes(16).toString("hex");

const TOKEN = ["emulator-for-turso", "token", "--url"];

interface Sent {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function send(url: string, { body, ...request }: Sent) {
  const answer = await fetch(url, { ...request, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const DATABASES = "/v1/organizations/acme/databases";

/** A platform in a container, with a database and tokens for both. */
interface Known {
  readonly apiToken: string;
  readonly databaseToken: string;
  readonly id: string;
}

async function newDatabase({ url }: ImageContainer): Promise<Known> {
  const method = "POST";
  const headers = { "Reference-Key": KEY };
  const { token: apiToken } = await send(`${url}/_reference/tokens`, { method, headers, body: {} });
  const asOwner = { method, headers: bearer(apiToken) };
  const { database } = await send(url + DATABASES, { ...asOwner, body: { name: "orders", group: "default" } });
  const { jwt: databaseToken } = await send(`${url}${DATABASES}/orders/auth/tokens`, asOwner);
  return { apiToken, databaseToken, id: database.DbId };
}

const names = async ({ url }: ImageContainer, { apiToken }: Known): Promise<string[]> => {
  const { databases } = await send(url + DATABASES, { headers: bearer(apiToken) });
  return databases.map(({ Name }: { Name: string }) => Name);
};

/** Adds a row to the database, and returns the number of rows. */
async function addRow({ url }: ImageContainer, { id, databaseToken }: Known): Promise<number> {
  const statements = [
    "create table if not exists items (id integer primary key)",
    "insert into items default values",
    "select count(*) from items",
  ];
  const requests = statements.map((sql) => ({ type: "execute", stmt: { sql } }));
  const headers = bearer(databaseToken);
  const { results } = await send(`${url}/sql/${id}/v2/pipeline`, { method: "POST", headers, body: { requests } });
  return Number(results.at(-1).response.result.rows[0][0].value);
}

describe.runIf(canRunImages)("the image", { tags: "more" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "dbplatform-image-"));
  let image: Image;

  beforeAll(() => {
    const packed = packPlatform(root, folder);
    execFileSync("tar", ["-xzf", packed, "-C", folder]);
    image = new Image(join(folder, "package/image/Containerfile"), join(folder, "package"));
  });
  afterAll(() => {
    image?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (wanted: ContainerOptions) =>
    ImageContainer.start(image, { ...wanted, environment: { DBPLATFORM_REFERENCE_KEY: KEY } });

  test.each([
    ["its own user", undefined],
    ["a user without a name, as on OpenShift", "1000660000:0"],
  ])("runs with a read-only root as %s, and keeps its data", async (_, user) => {
    const wanted = { volume: image.newVolume(), ...(user !== undefined && { user }) };
    const first = await start(wanted);
    expect(await first.healthy(), first.output).toBe(true);
    const known = await newDatabase(first);
    expect(await addRow(first, known)).toBe(1);
    expect(await first.stop("SIGTERM"), first.output).toBe(0);

    const second = await start(wanted);
    expect(await second.healthy(), second.output).toBe(true);
    expect([await names(second, known), await addRow(second, known)]).toEqual([["orders"], 2]);
    expect(await second.stop("SIGTERM")).toBe(0);
    expect(readdirSync(wanted.volume)).toEqual(expect.arrayContaining(["platform.db", "platform.db-sql"]));
  });

  test("gives a token to a command in the container, and prints no credential", async () => {
    const container = await start({ volume: image.newVolume() });
    expect(await container.healthy()).toBe(true);
    const apiToken = (await container.run(...TOKEN, container.url)).trim();
    expect(await names(container, { apiToken, databaseToken: "", id: "" })).toEqual([]);
    await container.stop("SIGTERM");
    expect(container.output).toContain("Serving organization acme");
    expect(container.output).toContain(DATABASES);
    expect(container.output).not.toContain("/_reference/health");
    expect(leaksIn(container.output)).toEqual([]);
    expect(container.output).not.toContain(KEY);
  });

  test.each(["", "short"])("exits with the key %j, and says what a key needs", async (key) => {
    const container = await ImageContainer.start(image, {
      volume: image.newVolume(),
      environment: { DBPLATFORM_REFERENCE_KEY: key },
    });
    expect(await container.ended).toBe(1);
    expect(container.output).toBe(`${KEY_UNUSABLE}\n`);
  });

  test(`answers the first requests after the health check, ${STARTS} times of ${STARTS}`, async () => {
    for (let turn = 0; turn < STARTS; turn += 2) {
      const volume = image.newVolume();
      const fresh = await start({ volume });
      expect(await fresh.healthy(), fresh.output).toBe(true);
      const known = await newDatabase(fresh);
      expect(await addRow(fresh, known)).toBe(1);
      await fresh.stop(turn % 4 === 0 ? "SIGTERM" : "SIGKILL");

      const again = await start({ volume });
      expect(await again.healthy(), again.output).toBe(true);
      expect(await Promise.all([names(again, known), addRow(again, known)])).toEqual([["orders"], 2]);
      await again.stop("SIGKILL");
    }
  });

  test("contains nothing that its user may change, except its volume", () => {
    const own = readdirSync(image.root, { recursive: true, withFileTypes: true })
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !/\/(dev|proc|tmp)(\/|$)/.test(path.slice(image.root.length)));
    const changeable = own.filter((path) => {
      const { uid, gid, mode } = statSync(path);
      return uid !== 0 || gid !== 0 || (mode & 0o002) !== 0;
    });
    expect(changeable).toEqual([join(image.root, image.volume)]);
  });

  test("is not built if the server does not start", () => {
    const broken = join(folder, "broken");
    cpSync(join(folder, "package"), broken, { recursive: true });
    writeFileSync(join(broken, "dist/cli.js"), "process.exitCode = 1;");
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => new Image(join(broken, "image/Containerfile"), broken)).toThrow("the server did not start");
  });

  test("keeps the server's compiled code where every user can read it", () => {
    const compiled = readdirSync(join(image.root, "app/.compile-cache"), { recursive: true });
    expect(compiled.length).toBeGreaterThan(3);
  });
});
