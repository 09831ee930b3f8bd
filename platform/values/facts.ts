/** The facts that a message needs, by name. A message is a function of one object of facts. */
export type Facts<Name extends keyof PlatformFacts> = Pick<PlatformFacts, Name>;

/** All facts in messages of the reference API. `npm run messages` has an example of each. */
export interface PlatformFacts {
  /** Name of an alias in a YAML file. */
  readonly alias: string;
  /** Code of a location. */
  readonly code: string;
  /** What a YAML file contains: `seed` or `faults`. */
  readonly content: string;
  /** A part of SQL, for example `VACUUM INTO`. */
  readonly feature: string;
  /** Path of a file. */
  readonly file: string;
  /** Path of the folder with the rows of the databases. */
  readonly folder: string;
  readonly gibibytes: number;
  /** Name or UUID. */
  readonly group: string;
  /** Whether a pragma is used with a value. */
  readonly hasValue: boolean;
  /** The alternative that a message recommends, for example `an empty database`. */
  readonly instead: string;
  /** Address of a client. */
  readonly ipAddress: string;
  /** Key of an object in a YAML file. */
  readonly key: string;
  /** The type of an object as a noun, for example `API token`. */
  readonly kind: string;
  /** Line of an SQL script, counting from 1; `undefined` if it is unknown. */
  readonly line: number | undefined;
  /** Names of the migrations that this version does not know. */
  readonly migrations: readonly string[];
  readonly mostBytes: number;
  readonly name: string;
  /** Name or number of a parameter of an SQL statement. */
  readonly parameter: string;
  readonly parameterCount: number;
  /** Fine-grained permission of a SQL token, for example `data_add`. */
  readonly permission: string;
  /** Path or address of data, without credentials. */
  readonly place: string;
  /** A clause. */
  readonly reason: string;
  /** Version of this package. */
  readonly release: string;
  readonly seconds: number;
  readonly slug: string;
  /** Id that a client has chosen for SQL that it stores on a stream. */
  readonly sqlId: number;
  /** Name of a table; `null` if a permission is missing for the whole schema. */
  readonly table: string | null;
  /** Names of the tables in the data. */
  readonly tables: readonly string[];
  /** A value as it was given. */
  readonly text: string;
  readonly username: string;
  readonly valueCount: number;
}
