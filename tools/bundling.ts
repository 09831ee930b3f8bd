import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type BuildOptions, build, type Metafile, transform } from "esbuild";
import { root } from "./run";

/** Options that make the download smaller, but keep names and line breaks, so that stack traces stay readable. */
const COMPACT = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 } as const satisfies BuildOptions;

/** The build options of all published bundles, and of the programs that the benchmark compares with them. */
export const BUNDLED = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  ...COMPACT,
  // Leaves out that the library for WebSockets uses native packages if they happen to be installed.
  define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
  // The client for SQL over HTTP names a package for WebSockets, which publishes no text of its licence.
  alias: { "@libsql/isomorphic-ws": "./tools/global-websocket.ts" },
  logLevel: "warning",
} as const satisfies BuildOptions;

/**
 * Bundles several programs. Code that the programs share or load lazily goes into chunks whose names begin with
 * `prefix`. The bundles are first built as ES modules, because esbuild can split only ES modules.
 */
export async function bundle(
  prefix: string,
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<Metafile> {
  const options = { ...BUNDLED, outdir, metafile: true, entryPoints, chunkNames: `${prefix}-[name]-[hash]` } as const;
  const { metafile, outputFiles } = await build({ ...options, format: "esm", splitting: true, write: false });
  for (const { path, text } of outputFiles) {
    // Dynamic imports are also converted to CommonJS, so that Node.js need not start its loader for ES modules.
    const supported = { "dynamic-import": false };
    const target = BUNDLED.target;
    const { code } = await transform(text, { format: "cjs", platform: "node", target, supported, ...COMPACT });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  return metafile;
}
