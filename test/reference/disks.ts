import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { inject } from "vitest";
import type { OpenReferenceApi } from "../../platform/reference/server";
import { ask, engine, freshData } from "./data";

export interface Disk {
  readonly place: string;
  fill(api: OpenReferenceApi): Promise<unknown>;
  free(api: OpenReferenceApi): Promise<unknown>;
  remove(): Promise<void>;
}

/** Simulates a full disk with SQLite's own limit on the number of pages. */
async function limitedPages(): Promise<Disk> {
  const limit = (pages: number) => (api: OpenReferenceApi) =>
    api.store.transaction([], (state) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(state));
  return { ...(await freshData()), fill: limit(1), free: limit(2 ** 30) };
}

/**
 * Simulates the error that PostgreSQL reports when it cannot extend a file. The error occurs in a statement of the
 * transaction or at the commit.
 */
const failingTable = (when: "statement" | "commit") => async (): Promise<Disk> => {
  const data = await freshData();
  await ask(
    data.place,
    `create function fill() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
  );
  const trigger = when === "commit" ? "constraint trigger filling" : "trigger filling";
  const timing = when === "commit" ? "deferrable initially deferred for each row" : "for each row";
  return {
    ...data,
    fill: () => ask(data.place, `create ${trigger} after insert on audit_logs ${timing} execute function fill()`),
    free: () => ask(data.place, "drop trigger filling on audit_logs"),
  };
};

/** Mounts a small disk and fills it to the last byte. */
async function smallDisk(): Promise<Disk> {
  const folder = mkdtempSync(join(tmpdir(), "disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder]);
  const data = engine === "postgres" ? await tablespaceIn(folder) : { place: join(folder, "platform.db") };
  const filler = join(folder, "filler");
  return {
    ...data,
    fill: async () => execFileSync("sh", ["-c", 'cat /dev/zero > "$1" 2> /dev/null || true', "sh", filler]),
    free: async () => writeFileSync(filler, ""),
    async remove() {
      if ("drop" in data) await data.drop();
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

async function tablespaceIn(folder: string) {
  const { admin } = inject("postgres");
  const [shown] = await ask(admin, "show data_directory");
  const { uid, gid } = statSync(String(shown?.data_directory));
  const location = join(folder, "tablespace");
  execFileSync("mkdir", [location]);
  chownSync(location, uid, gid);
  await ask(admin, `create tablespace small location '${location}'`);
  const { place, remove } = await freshData();
  const name = new URL(place).pathname.slice(1);
  await ask(admin, `alter database ${name} set tablespace small`);
  return {
    place,
    async drop() {
      await remove();
      await ask(admin, "drop tablespace small");
    },
  };
}

/** Returns whether this process may mount disks: in some containers, not even root may. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Mounts a disk for few files on a folder. `fill` leaves room for one. Absent if this process may not mount disks. */
export const fewFiles =
  engine === "memory" || !canMount()
    ? undefined
    : (folder: string) => {
        mkdirSync(folder, { recursive: true });
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m,nr_inodes=60", "tmpfs", folder]);
        const fillers = join(folder, "fillers");
        return {
          fill() {
            mkdirSync(fillers);
            try {
              for (let each = 0; ; each += 1) writeFileSync(join(fillers, `${each}`), "");
            } catch {
              rmSync(join(fillers, "0"));
            }
          },
          free: () => rmSync(fillers, { recursive: true }),
          remove: () => execFileSync("umount", [folder]),
        };
      };

const named = (name: string, open: () => Promise<Disk>) => ({ name, open });

export const mountedDisk = engine !== "memory" && canMount() ? smallDisk : undefined;

/** Ways to simulate a full disk for the storage engine that is being tested. */
export const disks = [
  ...(engine === "postgres"
    ? [
        named("PostgreSQL reports it during a statement", failingTable("statement")),
        named("PostgreSQL reports it during the commit", failingTable("commit")),
      ]
    : [named("SQLite cannot extend the file", limitedPages)]),
  ...(mountedDisk ? [named("the disk is full to the last byte", mountedDisk)] : []),
];
