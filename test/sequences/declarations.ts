import { type Declared, needsOf, type Program, type Value } from "../fake-engine/declared-program";

export const NAMES = ["alpha", "beta"] as const;

/** Email of Lea, who becomes a member when she accepts the invite. */
export const LEA = "lea@users.example";

export const ALL: Program = new Map<string, Declared>([
  ["north", { type: "Group", args: { location: "aws-us-east-1" } }],
  ["south", { type: "Group", args: { location: "aws-eu-west-1", name: "south" } }],
  ["orders", { type: "Database", args: { group: { of: "north", output: "id" } } }],
  ["users", { type: "Database", args: { group: "default", name: "users" } }],
  [
    "ordersLimits",
    { type: "DatabaseConfiguration", args: { database: { of: "orders", output: "dbId" }, blockWrites: true } },
  ],
  [
    "usersLimits",
    { type: "DatabaseConfiguration", args: { database: { of: "users", output: "dbId" }, sizeLimit: "1gb" } },
  ],
  ["reader", { type: "ApiToken", args: { group: { of: "north", output: "id" }, scopes: ["read-only"] } }],
  ["robot", { type: "ApiToken", args: { name: "robot" } }],
  ["app", { type: "DatabaseToken", args: { database: { of: "orders", output: "dbId" } } }],
  ["everywhere", { type: "GroupToken", args: { group: { of: "north", output: "id" } } }],
  [
    "rotation",
    { type: "SigningKeyRotation", args: { database: { of: "users", output: "dbId" }, triggers: { since: "1" } } },
  ],
  ["settings", { type: "OrganizationSettings", args: { requireMfa: true } }],
  ["zoe", { type: "Member", args: { username: "zoe", role: "viewer" } }],
  ["lea", { type: "Invite", args: { email: LEA, role: "viewer" } }],
]);

export const SLOTS = [...ALL.keys()];

function programOf(declared: Iterable<readonly [string, Declared]>): Program {
  const wanted = new Map(declared);
  const program = new Map<string, Declared>();
  for (const slot of SLOTS) {
    const one = wanted.get(slot);
    if (one && needsOf(one).every((needed) => program.has(needed))) program.set(slot, one);
  }
  return program;
}

/** Returns the program with one declaration added, changed or, if `declared` is `undefined`, removed. */
export const withDeclared = (program: Program, slot: string, declared: Declared | undefined): Program =>
  programOf([...[...program].filter(([name]) => name !== slot), ...(declared ? [[slot, declared] as const] : [])]);

export function withArgument(program: Program, slot: string, property: string, value: Value | undefined): Program {
  const declared = program.get(slot);
  if (!declared) return program;
  const { [property]: _before, ...rest } = declared.args;
  return withDeclared(program, slot, {
    ...declared,
    args: value === undefined ? rest : { ...rest, [property]: value },
  });
}
