// @module-tag the-reference-api

import { statSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type OpenReferenceApi, startReferenceApi } from "../../platform/reference/server";
import { cannotOpen, DISK_FULL, NOT_DONE } from "../../platform/reference/store/messages";
import { calling } from "./calling";
import { engine } from "./data";
import { type Disk, disks, mountedDisk } from "./disks";
import { brokenInvariants } from "./invariants";

/** More databases than fit into the free space of the existing pages. */
const MANY = 400;

test.each(disks)("returns 503 and changes nothing if the disk is full: $name", async ({ open }) => {
  const disk = await open();
  onTestFinished(() => disk.remove());
  const api = await startReferenceApi({ data: disk.place });
  onTestFinished(() => api.close());
  const told = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => told.mockRestore());

  const made = new Maker(api);
  expect(await made.make()).toBe(200);

  await disk.fill(api);
  let status = 200;
  for (let tries = 0; status === 200 && tries < MANY; tries += 1) status = await made.make();
  expect(status).toBe(503);
  expect(told.mock.lastCall?.[0]).toMatch(/: (database or disk is full|could not extend file)/);
  expect(await made.refusal()).toContain(NOT_DONE.full);
  const together = await Promise.all(Array.from({ length: 20 }, () => made.make()));
  expect(together.filter((each) => each !== 200 && each !== 503)).toEqual([]);
  expect(together).toContain(503);
  await made.expectAll();

  await disk.free(api);
  expect(await made.make()).toBe(200);
  await made.expectAll();
});

test.runIf(engine === "file" && mountedDisk)(
  "reports a full disk at startup, and starts once the disk has space",
  async () => {
    const disk = (await mountedDisk?.()) as Disk;
    onTestFinished(() => disk.remove());
    const api = await startReferenceApi({ data: disk.place });
    await api.close();
    await disk.fill(api);
    const filler = join(dirname(disk.place), "filler");
    await expect(startReferenceApi({ data: disk.place })).rejects.toThrow(
      cannotOpen({ place: disk.place, reason: DISK_FULL }),
    );
    // Frees one page at a time, until the server can open the data. Until then, startup must report a full disk.
    for (let room = 4; room <= 64; room += 4) {
      truncateSync(filler, statSync(filler).size - 4096);
      const failure = await startReferenceApi({ data: disk.place }).then((started) => started.close(), String);
      if (failure === undefined) break;
      expect(failure).toBe(`Error: ${cannotOpen({ place: disk.place, reason: DISK_FULL })}`);
    }
    await disk.free(api);
    await (await startReferenceApi({ data: disk.place })).close();
  },
);

class Maker {
  private readonly answered = new Set<string>();
  private asked = 0;
  private readonly owner;
  private readonly slug = { organizationSlug: "acme" };

  constructor(private readonly api: OpenReferenceApi) {
    this.owner = calling(api);
  }

  async make(): Promise<number> {
    this.asked += 1;
    const name = `db-${this.asked}`;
    const status = await this.owner.status("createDatabase", { ...this.slug, body: { name } });
    if (status === 200) this.answered.add(name);
    return status;
  }

  async refusal(): Promise<string> {
    this.asked += 1;
    const body = { name: `db-${this.asked}` };
    return JSON.stringify(await this.owner.refused("createDatabase", { ...this.slug, body }));
  }

  async expectAll(): Promise<void> {
    const { databases } = await this.owner.ok("listDatabases", this.slug);
    expect(databases.map(({ Name }) => Name)).toEqual([...this.answered].sort());
    const { audit_logs } = await this.owner.ok("listAuditLogs", { ...this.slug, query: { page_size: "100" } });
    expect(audit_logs).toHaveLength(Math.min(this.answered.size, 100));
    expect(await this.api.store.read(brokenInvariants)).toEqual([]);
  }
}
