/** A mistake in the second provider: what it is, and the edit of a file that makes it. */
export interface Mistake {
  readonly mistake: string;
  readonly file: "provider.ts" | "client.ts";
  readonly edit: (program: string) => string;
}

const inProvider = (mistake: string, ...edits: readonly [of: string, instead: string][]): Mistake => ({
  mistake,
  file: "provider.ts",
  edit: (program) => edits.reduce((text, [of, instead]) => text.replace(of, () => instead), program),
});

const inClient = (mistake: string, of: string, instead: string): Mistake => ({
  ...inProvider(mistake, [of, instead]),
  file: "client.ts",
});

const CREATE = `async create({ name, jurisdiction }, { platform }) {
    const made = await platform.create({ name, jurisdiction });`;
const UPDATE = "return stateOf(await platform.replicate(id, readReplication));";
const LIVE = "if (live) return stateOf(live);";
const DELETE = "delete: (id, { platform }) => platform.remove(id),";
const RESTORE = "stateOf(await platform.undelete(id, name))";
const DELETED = `return new Deleted({ shown: stateOf(deleted), deletedAt, restorableUntil: restorableUntil(deletedAt) });`;
const FIND = `const found = (await platform.all({ name })).find((one) => one.name === name);
      return found && { id: found.uuid, state: stateOf(found) };`;

export const MISTAKES: readonly Mistake[] = [
  inProvider("A read forgets a property", ["  readReplication: read_replication.mode,\n", ""]),
  inProvider("An update returns nothing", [UPDATE, "await platform.replicate(id, readReplication);"]),
  inProvider("A restoration returns nothing", [RESTORE, "void (await platform.undelete(id, name))"]),
  inProvider("A check expects an unknown value to be known", [
    DELETE,
    `${DELETE}\n  checks: { create: ({ name }) => (name.length > 64 ? "the name is too long" : undefined) },`,
  ]),
  inProvider("A read returns a property that nobody declared", [
    "  createdAt: created_at,\n",
    "  createdAt: created_at,\n  version: 2,\n",
  ]),
  inProvider("A read returns the same value for every object", ["read_replication.mode,", '"disabled" as const,']),
  inProvider(
    "A read returns what the state has recorded",
    [
      LIVE,
      "if (live) return { ...stateOf(live), readReplication: known?.readReplication ?? live.read_replication.mode };",
    ],
    ["async read(id, { platform })", "async read(id, { platform, known })"],
  ),
  inProvider("A read spells a name in its own way", [
    "  name,\n  jurisdiction,",
    "  name: name.toUpperCase(),\n  jurisdiction,",
  ]),
  inProvider("Each read gives an output a new value", ["createdAt: created_at", "createdAt: new Date().toISOString()"]),
  inProvider("A read writes", [
    LIVE,
    "if (live) return stateOf(await platform.replicate(id, live.read_replication.mode));",
  ]),
  inProvider("A read does not look for a deleted object", [DELETED, "return undefined;"]),
  inProvider("A read takes a deleted object for a live one", [DELETED, "return stateOf(deleted);"]),
  inProvider("A read fails if the object does not exist", [
    "platform.find(id).catch(unlessAbsent)",
    "platform.find(id)",
  ]),
  inProvider("A creation forgets a property", ["platform.create({ name, jurisdiction })", "platform.create({ name })"]),
  inProvider("A creation returns another id than a list", ["return { id: made.uuid,", "return { id: made.name,"]),
  inProvider("A creation changes the object in a second request", [
    CREATE,
    `async create({ name, jurisdiction, readReplication = "disabled" }, { platform }) {
    const { uuid } = await platform.create({ name, jurisdiction });
    const made = await platform.replicate(uuid, readReplication);`,
  ]),
  inProvider("An update sends nothing", [UPDATE, "return { ...stateOf(await platform.find(id)), readReplication };"]),
  inProvider("A default is not that of the platform", ['default: "disabled",', 'default: "auto",']),
  inProvider("Two different values count as equal", [
    'default: "disabled",',
    'default: "disabled",\n      same: () => true,',
  ]),
  inProvider("A deletion does nothing", [DELETE, "delete: async () => {},"]),
  inProvider("A deletion fails if the object does not exist", [
    DELETE,
    'delete: (id, { platform }) => platform.remove(id).catch(() => { throw new Error("could not delete the database"); }),',
  ]),
  inProvider("A restoration gives the object another name", [
    RESTORE,
    `stateOf(await platform.undelete(id, \`\${name}-restored\`))`,
  ]),
  inProvider("A list leaves an object out", [
    'of await platform.all(deleted ? { deleted: "true" } : {})) yield',
    'of (await platform.all(deleted ? { deleted: "true" } : {})).slice(1)) yield',
  ]),
  inProvider("An object is not found by its name", [FIND, "return undefined;"]),
  inProvider("The check of an id refuses every id", [
    'id: "<UUID>",',
    'id: "<UUID>",\n    problem: async () => "the id of a database is a UUID",',
  ]),
  inClient(
    "A lost response counts as a request that was not sent",
    "uncertain: writes, cause",
    "uncertain: false, cause",
  ),
  inClient("A taken name is an invalid one", 'error.code === 7502 ? "taken" : failure', "failure"),
  inProvider("A message contains the credential", [
    CREATE,
    `${CREATE.replace("{ platform }", "{ platform, warn }")}\n    warn(\`Database created with \${JSON.stringify(platform)}.\`);`,
  ]),
  inClient("An error contains the credential", `could not \${method}`, `could not \${method} as \${apiToken},`),
  inProvider("A message does not say of what it speaks", [
    CREATE,
    `${CREATE.replace("{ platform }", "{ platform, warn }")}\n    warn("It was created.");`,
  ]),
  inClient(
    "An error gives advice for another provider",
    "answer: error.message,",
    `answer: \`\${error.message} Set CLOUDFLARE_API_TOKEN\`,`,
  ),
];
