import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLED } from "../../tools/bundling";
import { root } from "../../tools/run";

export interface Programs {
  readonly ours: string;
  readonly oneAtATime: string;
  /** Our server, with `synchronous = normal` for rows. */
  readonly normalSql: string;
  readonly bare: string;
  readonly bareSql: string;
  readonly alone: string;
  readonly load: string;
  readonly meter: string;
}

/**
 * Builds the programs with the same options as our published server.
 *
 * @param folder The folder for the bundles.
 */
export async function buildPrograms(folder: string): Promise<Programs> {
  const alike = { ...BUNDLED, outdir: folder, format: "cjs" } as const;
  const names = ["bare", "bare-sql", "alone", "load", "meter"] as const;
  await build({ ...alike, entryPoints: Object.fromEntries(names.map((name) => [name, `bench/reference/${name}.ts`])) });
  await build({
    ...alike,
    entryPoints: { "one-at-a-time": "platform/reference/command/run.ts" },
    plugins: [
      {
        name: "one commit for each request",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/job-queue$/ }, () => ({ path: join(root, "bench/reference/one-at-a-time.ts") })),
      },
    ],
  });
  await build({
    ...alike,
    outdir: join(folder, "normal"),
    entryPoints: {
      "dbplatform-api": "platform/reference/command/run.ts",
      "reference-sql-engine": "platform/reference/sql/engine/perform-jobs.ts",
    },
    plugins: [
      {
        name: "synchronous = normal",
        setup: ({ onLoad }) =>
          onLoad({ filter: /sql\/engine\/connection\.ts$/ }, ({ path }) => {
            const [before, after, ...others] = readFileSync(path, "utf8").split('durable ? "full"');
            if (after === undefined || others.length > 0) throw new Error(`${path} sets synchronous in another way`);
            return { contents: `${before}durable ? "normal"${after}`, loader: "ts" };
          }),
      },
    ],
  });
  const path = (name: string): string => join(folder, `${name}.js`);
  return {
    ours: join(root, "dist/dbplatform.js"),
    oneAtATime: path("one-at-a-time"),
    normalSql: path("normal/dbplatform-api"),
    bare: path("bare"),
    bareSql: path("bare-sql"),
    alone: path("alone"),
    load: path("load"),
    meter: path("meter"),
  };
}
