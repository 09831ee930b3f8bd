import * as z from "zod";
import type { Vocabulary } from "../../../kit/field";
import { ENGINES, type Engine } from "../../../platform/values/engine";
import { copyKeepsEngine } from "./messages";

const vocabulary: Vocabulary = {
  name: "DatabaseEngine",
  description: "The engine that runs the SQL of a database.",
  values: { libsql: "libSQL, a fork of SQLite.", tursodb: "Turso, a rewrite of SQLite." },
};

export const DatabaseEngine = z.enum(ENGINES).meta({ vocabulary });

/** A record may lack the engine, which its documentation does not mention. Then nothing says that it is another one. */
const mayBeSameEngine = (wanted: Engine, observed: Engine | undefined): boolean =>
  observed === undefined || wanted === observed;

/** Options of an input that is an engine. */
export const engineOptions = {
  same: mayBeSameEngine,
  // The state never claims an engine that nobody has seen.
  keeps: (_wanted: Engine, observed: Engine | undefined) => observed !== undefined,
};

/**
 * Returns the reason why a database cannot be copied to this engine, or `undefined`. A copy has the engine of its source.
 *
 * @param engine The program's value; a symbol if it is not known yet.
 */
export function copyEngineProblem(
  source: { readonly Name: string; readonly engine?: string | undefined },
  engine: unknown,
): string | undefined {
  if (source.engine === undefined || typeof engine !== "string" || engine === source.engine) return undefined;
  return copyKeepsEngine({ name: source.Name, engine: source.engine });
}

/** Returns whether the new database of a replacement has another engine than the old one. */
export const engineDiffers = ({
  now,
  news: { engine },
}: {
  readonly now: { readonly engine?: string | undefined };
  readonly news: Readonly<Record<string, unknown>>;
}): boolean => typeof engine === "string" && now.engine !== undefined && engine !== now.engine;
