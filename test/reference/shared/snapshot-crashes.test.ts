import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { raw } from "../calling";
import { freshOptions, shop, started } from "../snapshot-world";
import { column, execute } from "../sql/sql";
import { startProcess } from "./process";

const ROUNDS = 8;
const LONGEST_MS = 400;

test("after kill -9 during saves and loads, there is a whole state, and only whole snapshots are listed", async () => {
  const { data, snapshots, sqlFolder } = { sqlFolder: undefined, ...(await freshOptions()) };
  const options = ["--sql", "--snapshots", snapshots, ...(sqlFolder === undefined ? [] : ["--sql-folder", sqlFolder])];
  const restarted = () => started({ data, snapshots, sql: true, ...(sqlFolder !== undefined && { sqlFolder }) });

  const first = await restarted();
  const { owner, slug, database } = shop(first);
  const places = await Promise.all(["one", "two", "three"].map((name) => database(name)));
  for (const place of places) await execute(place, "create table t (x)");
  for (const name of ["a", "b"]) {
    for (const place of places)
      await execute(place, `delete from t; `).then(() => execute(place, `insert into t values ('${name}')`));
    await owner.ok("createGroup", { ...slug, body: { name, location: "aws-us-east-1" } });
    await first.save(name);
    await owner.ok("deleteGroup", { ...slug, groupName: name });
  }
  await first.load("a");
  await first.close();

  const moments: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startProcess(data, ...options);
    const send = (path: string, body?: object) =>
      raw(`${server.url}/_reference/snapshots${path}`, { method: "POST", ...(body && { body: JSON.stringify(body) }) });
    const work = (async () => {
      for (let number = 0; ; number += 1) {
        await send("/b/load");
        await send("", { name: `s-${round}-${number}` });
        await send("", { name: "replaced", replace: true });
        await send("/a/load");
      }
    })().catch(() => undefined);
    moments.push(Math.random() * LONGEST_MS);
    await wait(moments.at(-1));
    await server.kill();
    await work;

    const api = await restarted();
    const { owner, slug, place, token } = shop(api);
    const state = async () => {
      const { groups } = await owner.ok("listGroups", slug);
      const rows: unknown[] = [];
      for (const [index, { id }] of places.entries())
        rows.push(...(await column(place(id, await token(["one", "two", "three"][index] ?? "")), "select x from t")));
      return [...groups.map(({ name }) => name).filter((name) => name !== "default"), ...rows];
    };
    const whole = [Array(4).fill("a"), Array(4).fill("b")];
    expect(whole, `moments: ${moments}`).toContainEqual(await state());
    for (const { name } of await api.snapshots()) {
      await api.load(name);
      expect(whole, `${name}, moments: ${moments}`).toContainEqual(await state());
      if (name.length > 1) await api.deleteSnapshot(name);
    }
    await api.close();
  }
});
