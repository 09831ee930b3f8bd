import type { Declared, Value } from "../fake-engine/declared-program";

type Args = Readonly<Record<string, Value>>;
type Options = Pick<
  Declared,
  "import" | "protect" | "dependsOn" | "ignoreChanges" | "replaceOnChanges" | "deleteBeforeReplace" | "formerName"
>;

/** The resources in a program, by logical name. */
export type Declarations = Readonly<Record<string, Declared>>;

const declare =
  (type: string) =>
  (args: Args, options: Options = {}): Declared => ({ type, args, ...options });

export const aGroup = declare("Group");
export const aDatabase = declare("Database");
export const aConfiguration = declare("DatabaseConfiguration");
export const someMigrations = declare("DatabaseMigrations");
export const anApiToken = declare("ApiToken");
export const aDatabaseToken = declare("DatabaseToken");
export const aGroupToken = declare("GroupToken");
export const aRotation = declare("SigningKeyRotation");
export const organizationSettings = declare("OrganizationSettings");
export const aMember = declare("Member");
export const anInvite = declare("Invite");

export const idOf = (of: string) => ({ of, output: "id" });
export const dbIdOf = (of: string) => ({ of, output: "dbId" });

export const TENANTS = { name: "tenants", location: "aws-us-east-1" } as const;
export const tenants = aGroup(TENANTS);

/** A database with the logical name as its name. */
export const aDatabaseNamed = (name: string, group: Value = "default"): Declared => aDatabase({ name, group });
