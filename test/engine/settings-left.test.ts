import * as dbplatform from "pulumi-dbplatform";
import * as dynamic from "pulumi-dbplatform/dynamic";
import { expect, test } from "vitest";
import { settingsTakenOver } from "../../kit/lifecycle/messages";
import { configurationUnmanaged } from "../../provider/resources/database/messages";
import { type EngineFixture, engineFixture } from "./engine-fixture";

type Wanted = Omit<dbplatform.DatabaseConfigurationArgs, "database">;
type Declared = Readonly<Record<string, readonly [database: string, wanted: Wanted]>>;

const BLOCKED = { property: "blockWrites", is: true, byDefault: false };
const UNREADABLE = { property: "blockReads", is: true, byDefault: false };
const PROTECTED = { property: "deleteProtection", is: true, byDefault: false };
const LIMITED = { property: "allowedIps", is: ["10.0.0.0/8"], byDefault: [] };

const BEFORE: Declared = {
  a: ["x", { blockWrites: true }],
  b: ["y", { blockReads: true }],
  c: ["z", { blockWrites: true, blockReads: true, allowedIps: ["10.0.0.0/8"], deleteProtection: true }],
  e: ["v", { blockWrites: true }],
  i: ["u", { blockWrites: true }],
};

const AFTER: Declared = {
  a: ["y", { blockWrites: true }],
  b: ["x", { blockReads: true }],
  d: ["z", { blockReads: true }],
  e: ["w", { blockWrites: true }],
  f: ["v", { blockReads: false }],
};

const diagnosticsOf = (output: string): string => output.split("Diagnostics:")[1] ?? "";
const timesIn = (output: string, text: string): number => diagnosticsOf(output).split(text).length - 1;

const configurationOf = ({ outside }: EngineFixture, databaseName: string) =>
  outside.retrieveDatabaseConfiguration({ organizationSlug: "acme", databaseName });

test.each(["always", "on-refresh"])(
  "lists each setting that stays in force on a database that another resource configures (drift detection: %s)",
  async (driftDetection) => {
    const here = await engineFixture();
    let declared = BEFORE;
    const stack = await here.stack(
      async () => {
        const databases = ["u", "v", "w", "x", "y", "z"].map((name) => {
          return [name, new dbplatform.Database(name, { name, group: "default", sizeLimit: "1gb" }).dbId] as const;
        });
        const byName = Object.fromEntries(databases);
        for (const [name, [database, wanted]] of Object.entries(declared))
          new dbplatform.DatabaseConfiguration(name, { database: byName[database] ?? "", ...wanted });
      },
      { config: { "dbplatform:driftDetection": driftDetection } },
    );
    await stack.deploy();
    const ids = await here.databases();
    const of = (name: string) => `database ${ids[name]}`;
    const moved = [
      settingsTakenOver({ subject: of("x"), from: "a", to: "b", remaining: [BLOCKED] }),
      settingsTakenOver({ subject: of("y"), from: "b", to: "a", remaining: [UNREADABLE] }),
      settingsTakenOver({ subject: of("v"), from: "e", to: "f", remaining: [BLOCKED] }),
    ];
    const renamed = settingsTakenOver({
      subject: of("z"),
      from: "c",
      to: "d",
      remaining: [BLOCKED, PROTECTED, LIMITED],
    });

    declared = AFTER;
    const preview = await stack.preview();
    expect(preview.code).toBe(0);
    for (const text of moved) expect(timesIn(preview.output, text)).toBe(1);
    expect(timesIn(preview.output, renamed)).toBe(driftDetection === "always" ? 1 : 0);
    here.writes();
    const up = await stack.up();
    expect(up.code).toBe(0);
    for (const text of [...moved, renamed]) expect(timesIn(up.output, text)).toBe(1);
    expect(timesIn(up.output, configurationUnmanaged({ id: String(ids.u), assignments: ["blockWrites: true"] }))).toBe(
      1,
    );
    expect(diagnosticsOf(up.output).match(/warning:/g)).toHaveLength(5);
    expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: true });
    expect(await configurationOf(here, "z")).toMatchObject({ delete_protection: true, allowed_ips: ["10.0.0.0/8"] });

    // The messages say what to write to lift or to keep the settings.
    declared = {
      ...AFTER,
      b: ["x", { blockReads: true, blockWrites: false }],
      d: ["z", { blockReads: true, blockWrites: false, deleteProtection: true, allowedIps: [] }],
    };
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: false });
    expect(await configurationOf(here, "z")).toMatchObject({ block_writes: false, delete_protection: true });
    expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
  },
);

test("with dynamic providers, refuses to leave settings in force that no resource names", async () => {
  const here = await engineFixture();
  let declared: Declared = { a: ["x", { blockWrites: true }], b: ["y", { blockReads: true }] };
  const stack = await here.stack(async () => {
    const databases = ["x", "y"].map((name) => [name, new dynamic.Database(name, { name, group: "default" }).dbId]);
    const byName = Object.fromEntries(databases);
    for (const [name, [database, wanted]] of Object.entries(declared))
      new dynamic.DatabaseConfiguration(name, { database: byName[database], ...wanted });
  });
  await stack.deploy();
  const ids = await here.databases();
  const logicalName = (name: string) => `DatabaseConfiguration "${name}"`;
  const left = [
    settingsTakenOver({
      subject: `database ${ids.x}`,
      from: logicalName("a"),
      to: logicalName("b"),
      remaining: [BLOCKED],
    }),
    settingsTakenOver({
      subject: `database ${ids.y}`,
      from: logicalName("b"),
      to: logicalName("a"),
      remaining: [UNREADABLE],
    }),
  ];
  here.writes();
  declared = { a: ["y", { blockWrites: true }], b: ["x", { blockReads: true }] };
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  for (const text of left) expect(refused.output).toContain(text);
  expect(here.writes()).toEqual([]);
  declared = { a: ["y", { blockWrites: true, blockReads: false }], b: ["x", { blockReads: true, blockWrites: true }] };
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: true });
  expect(await configurationOf(here, "y")).toMatchObject({ block_reads: false, block_writes: true });

  // A preview calls no dynamic provider about a resource that is no longer declared.
  declared = { a: declared.a ?? ["y", {}], c: ["x", { blockReads: true }] };
  expect(await stack.preview()).toMatchObject({ code: 0 });
  const renamed = await stack.up();
  expect(renamed.code).not.toBe(0);
  const from = `DatabaseConfiguration ${ids.x}`;
  const text = settingsTakenOver({ subject: `database ${ids.x}`, from, to: logicalName("c"), remaining: [BLOCKED] });
  expect(renamed.output).toContain(text);
  declared = { ...declared, c: ["x", { blockReads: true, blockWrites: false }] };
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await configurationOf(here, "x")).toMatchObject({ block_reads: true, block_writes: false });
  expect(await stack.up({ expectNoChanges: true })).toMatchObject({ code: 0 });
});
