import type { KitFacts } from "../kit/facts";
import type { ProviderFacts } from "../provider/facts";

type AllFacts = KitFacts & ProviderFacts;

const ID = "71a550de-5a90-4ab1-9a3e-1c2d3e4f5a6b";
const OTHER_ID = "0bca3e0a-2f5d-4c6b-8d1e-9f0a1b2c3d4e";
const ORGANIZATION_ID = "0a28102d-6906-11ee-8553-eaa7715aeaf2";
const URN = "urn:pulumi:dev::shop::dbplatform:index:Database::orders";

/**
 * Example values of every fact in the messages of this repository. `npm run messages` prints each message with each of
 * the values that its facts have here, so a fact on which a sentence depends has more than one.
 */
export const EXAMPLES: { readonly [Name in keyof AllFacts]-?: readonly [AllFacts[Name], ...AllFacts[Name][]] } = {
  address: ["engine"],
  advice: ["Only a new database can be seeded."],
  ago: ["20 minutes ago"],
  allowed: [["full-access", "read-only"]],
  argument: ["nmae"],
  attempt: [`cannot restore database "orders" (${ID})`],
  author: ["max (web)"],
  before: ["7d"],
  brings: ["with its data"],
  bytes: [4194305],
  canListOthers: [false, true],
  cause: [
    `could not restore database (POST /v3/organizations/${OTHER_ID}/databases/${ID}/restore): the connection closed before the response was complete (ECONNRESET)`,
  ],
  container: [{ kind: "database", id: ID, message: `Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC.` }],
  contents: ["state"],
  count: [1, 4],
  databases: [["staging"]],
  deleted: [{ id: ID, deletedAt: "2026-11-22T07:17:00Z", restorable: "can be restored until 2026-11-27 07:17 UTC" }],
  deletedAt: ["2026-11-22T07:17:00Z"],
  deletion: [`Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC.`],
  difference: [{ property: "group", is: "staging", wanted: "production" }],
  end: ["2026-11-27T07:04:11Z"],
  file: ["preview.json"],
  firstProperty: ["database"],
  form: [{ name: "a boolean", written: "write true or false" }],
  from: ["orders"],
  functionName: ["getDatabase"],
  given: ["a string"],
  functions: [["getApiTokens", "getOrganization"]],
  group: ["default"],
  groups: [["default", "shared"]],
  header: ["soon"],
  id: [ID],
  imported: [ORGANIZATION_ID],
  importedId: [OTHER_ID],
  importedIds: [[OTHER_ID]],
  inside: [`database "orders" (${ID})`],
  isGenerated: [false, true],
  isPlanned: [false, true],
  isRead: [false, true],
  isRecorded: [false, true],
  isReplaced: [false, true],
  isReplacing: [false, true],
  isRestorable: [false, true],
  isStackRead: [false, true],
  isStillDeleted: [false, true],
  kind: ["database"],
  known: [["name", "group"]],
  left: [
    [
      `Settings that \`b\` does not name stay in force on database ${ID}: \`blockWrites: true\` (set by \`a\`). If \`a\` no longer manages it, write in \`b\`: \`blockWrites: false\` to lift them, or \`blockWrites: true\` to keep them.`,
    ],
  ],
  longest: [8],
  managed: [{ title: 'database "orders"', id: ID }],
  missing: [
    [
      { name: "organization", isSecret: false, variable: "DBPLATFORM_ORGANIZATION" },
      { name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" },
      { name: "baseUrl", isSecret: false, variable: "DBPLATFORM_BASE_URL" },
    ],
  ],
  mostBytes: [4194304],
  moved: [{ kind: "group", from: ID, to: OTHER_ID }],
  name: ["orders"],
  nameOfAnother: [
    `The name "production" now belongs to another group (${OTHER_ID}), and no longer to ${ID}.`,
    undefined,
  ],
  object: [`database "orders" (${ID})`],
  objects: ["Database orders"],
  obstacle: ['recovery is disabled for organization "acme"', undefined],
  only: ["an organization"],
  operation: ["restore"],
  operations: [["create groups", "create API tokens"]],
  option: ["--unmanaged"],
  organizationId: [ORGANIZATION_ID],
  own: [ID],
  owner: ["a list of databases"],
  path: ["/pulumirpc.ResourceProvider/Parameterize"],
  problems: [[{ property: "deleted", reason: "must be a boolean, not a string: write true or false" }]],
  properties: [["location"]],
  property: ["group"],
  provider: ["dbplatform"],
  providerName: ["default", "eu"],
  reason: ["the API token lacks the scope `db:create`"],
  reasons: [['dbId: "orders" is not a UUID']],
  referred: [{ kind: "group", id: OTHER_ID, name: "squad" }],
  remaining: [
    [
      { property: "blockWrites", is: true, byDefault: false },
      { property: "allowedIps", is: ["10.0.0.0/8"], byDefault: [] },
    ],
  ],
  remedy: ["stopReplacing"],
  replaced: [{ title: 'database "orders"', id: OTHER_ID, isRestorable: true, secrets: [] }],
  restorable: ["can be restored until 2026-11-27 07:17 UTC", undefined],
  restorableUntil: ["2026-11-27T07:17:00Z"],
  role: ["admin"],
  scopes: [["read", "db:create"]],
  secondsLeft: [5 * 3600],
  secrets: [["token"]],
  settings: [["organization", "apiToken", "baseUrl"]],
  shortest: [9],
  stacks: [["shop/production"], undefined],
  subject: [`database ${ID}`],
  thing: ["this database configuration"],
  title: ['database "orders"'],
  to: ["orders-settings"],
  token: ["dbplatform:index:getTable"],
  tokens: [["dbplatform:index:getNotebook", "dbplatform:index:getNote"]],
  type: ["OrganizationSettings"],
  types: [["dbplatform:index:Notebook", "dbplatform:index:Note"]],
  unknown: [["at"]],
  unrecorded: ["A token in DBPLATFORM_API_TOKEN is never recorded", undefined],
  urn: [URN],
  version: [1],
  wanted: ["team"],
  withTitle: ['group "tenants"'],
  within: ["organization"],
};

/** The facts of messages for which other values than those of EXAMPLES are better examples, by the message's name. */
export const CASES: Readonly<Record<string, readonly Partial<AllFacts>[]>> = {
  replacementDuringImport: [{ imported: ID }],
  replacementUnseen: [{ property: "encryption" }],
  changedOutside: [
    { properties: ["blockWrites"] },
    { properties: ["deleteProtection", "name"], thing: 'group "production"' },
  ],
  declaredTwice: [{ urn: "urn:pulumi:dev::shop::dbplatform:index:OrganizationSettings::acme" }],
  listUnavailable: [{ kind: "API token" }],
  sameValue: [
    { property: "name" },
    { urn: "urn:pulumi:dev::shop::dbplatform:index:DatabaseConfiguration::orders", property: "database" },
  ],
  unknownArgument: [{}, { owner: "getLocations", argument: "limit", known: [] }],
  unknownProperties: [{ properties: ["database", "timestamp"] }],
  wrongValue: [{ given: "another string" }],
  checkRecordedSettings: [{ unrecorded: "A token in DBPLATFORM_API_TOKEN is never recorded" }],
  createOnlyIgnored: [{ property: "seed" }],
  createOnlyUsedAgain: [{ properties: ["seed"] }, { properties: ["seed", "sizeLimit"] }],
  createdAgain: [{ kind: "API token", name: "ci" }],
  creationUncertain: [{ isGenerated: false }, { name: "orders-3f2a1b9", isGenerated: true }],
  expired: [{ kind: "database token" }],
  expiresSoon: [{ kind: "database token", property: "renewBefore" }],
  notRestorableNow: [{ reason: 'organization "acme" is on the free plan, which has no recovery' }],
  replacedIsDeleted: [
    {
      deletion: `Database "orders" (${ID}) was deleted on 2026-11-22 07:17 UTC and can be restored until 2026-11-27 07:17 UTC.`,
    },
  ],
  replacedIsGone: [{ title: 'API token "ci"', id: "tok-42", isRestorable: false }, { isRestorable: true }],
  replacementImpossible: [
    { reason: 'group "production" is delete-protected: set deleteProtection: false, run `pulumi up`, then try again' },
  ],
  replacementLacksAccess: [{ object: 'database "orders"' }],
  settingsTakenOver: [
    {},
    { to: "orders", remaining: [{ property: "blockWrites", is: true, byDefault: false }] },
    {
      subject: 'organization "acme"',
      from: "acme",
      to: "settings",
      remaining: [{ property: "requireMfa", is: true, byDefault: undefined }],
    },
  ],
  stillDeclaredInside: [{ kind: "group" }],
  createInstead: [{ isRestorable: true }, { kind: "member", isRestorable: false }],
  deletedObject: [{ restorable: "can be restored until 2026-11-27 07:17 UTC" }],
  deletedRestorable: [{}, { restorableUntil: undefined }],
  differenceKept: [
    { nameOfAnother: undefined, difference: { property: "name", is: "orders-old", wanted: "orders" } },
    { nameOfAnother: `The name "production" now belongs to another group (${OTHER_ID}), and no longer to ${ID}.` },
  ],
  doesNotExist: [{ reason: `organization "acme" has no database ${ID}`, advice: "Check the id" }],
  importContradiction: [
    {},
    { difference: { property: "encryption", is: "none", wanted: "aes256gcm", isDescribed: true } },
  ],
  importOverLive: [{ id: OTHER_ID }],
  importedWithoutSecret: [{ kind: "API token", property: "token" }],
  incompleteUpdate: [{ cause: "updateGroupConfiguration: the platform returned HTTP 503: try later" }],
  nameOfAnother: [{ id: OTHER_ID }],
  newObjectPlanned: [{ isRestorable: true }, { kind: "API token", isRestorable: false }],
  noLongerExists: [{ reason: `organization "acme" has no database ${ID}` }],
  notRestorable: [{ kind: "signing key rotation" }],
  ownerDeleted: [{ kind: "database configuration" }],
  restoreContradiction: [
    { difference: { property: "location", is: "aws-us-east-1", wanted: "aws-eu-west-1" } },
    {
      difference: {
        property: "encryption",
        is: "aegis256 with the recorded key",
        wanted: "aes256gcm",
        isDescribed: true,
      },
    },
  ],
  restoredWithDifference: [
    { title: 'group "production"', difference: { property: "location", is: "aws-us-east-1", wanted: "aws-eu-west-1" } },
  ],
  emptyDespiteDeleted: [
    {},
    { remedy: "undoChange" },
    { remedy: { alias: URN } },
    { remedy: "importHere" },
    { remedy: "importElsewhere" },
    { kind: "group", name: "production", remedy: "renameFirst" },
  ],
  emptyInsteadOfDeleted: [
    { title: 'database "orders-1a2b3c4"', restorable: "can be restored until 2026-11-27 07:17 UTC", isPlanned: true },
    { title: 'database "orders-1a2b3c4"', restorable: undefined, isPlanned: false },
  ],
  existsAsReplaced: [{ title: 'member "max"' }],
  existsElsewhere: [{ title: 'member "max"', id: "max" }],
  existsInStack: [{ title: 'member "max"', urn: "urn:pulumi:dev::team::dbplatform:index:Member::max" }],
  nameInUseBesideDeleted: [
    {},
    { replaced: { title: 'database "orders"', id: OTHER_ID, isRestorable: false, secrets: [] } },
    {
      kind: "API token",
      name: "ci",
      id: "tok-43",
      replaced: { title: 'API token "ci"', id: "tok-42", isRestorable: false, secrets: ["token"] },
    },
  ],
  nameInUseBesideManaged: [{ managed: { title: 'database "sales"', id: OTHER_ID } }],
  newNameInUse: [{ kind: "group", name: "production" }],
  invalidSetting: [{ name: "baseUrl", reason: '"platform" is not a valid http or https address' }],
  missingSettings: [
    { isRecorded: false, advice: "To try the provider, start a server on this machine." },
    { isRecorded: false, advice: undefined },
    {
      missing: [{ name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" }],
      isRecorded: true,
      advice: undefined,
    },
  ],
  internalError: [{ reason: "x is not a function" }],
  unknownResourceType: [{ type: "dbplatform:index:Table" }],
  unsupportedAsset: [{ property: "keepers" }],
  andMore: [{ count: 497 }],
  groupToken: [{}, { group: undefined, scopes: ["read"] }],
  invalidPreview: [{ file: "preview.json" }, { file: "-" }],
  ofProvider: [{ providerName: "eu" }],
  organizationIdNeeded: [{ providerName: "default", organizationId: undefined }, {}],
  organizationToken: [
    { role: "member", reasons: ["a group-scoped token cannot create groups"] },
    { reasons: ["a group-scoped token cannot create API tokens", "it works in 2 groups: default, shared"] },
  ],
  someGroupsAlike: [{ name: "default", id: ORGANIZATION_ID }],
  existingFile: [{ file: "import.json" }],
  forbiddenDeletedList: [
    {
      cause:
        "could not list deleted groups (GET /v3/organizations/…/deleted-groups): the platform returned HTTP 403: forbidden",
    },
  ],
  forbiddenList: [
    {
      cause:
        "could not list API tokens (GET /v1/organizations/acme/api-tokens): the platform returned HTTP 403: forbidden",
    },
  ],
  hoursLeft: [{ secondsLeft: 90 }, { secondsLeft: 5 * 3600 }],
  incompleteList: [
    { types: ["Group"], canListOthers: true },
    { types: ["Group", "Database"], canListOthers: false },
  ],
  inputName: [{ file: "preview.json" }, { file: "-" }],
  invalidState: [{ file: "dev.json" }, { file: "-" }],
  missingFromEnvironment: [{ missing: [{ name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" }] }],
  missingStates: [{ option: "--older-than" }],
  nameOfLaterDeletion: [{ type: "Database" }],
  restorableBriefly: [
    { type: "Database", stacks: undefined },
    { type: "Database", secondsLeft: 90, stacks: [] },
    { type: "Database" },
  ],
  restoringRefused: [{ reason: 'recovery is disabled for organization "acme"' }],
  secretWithoutValue: [{ property: "token", type: "ApiToken" }],
  sharedName: [{ name: "default" }],
  skippedObject: [
    {
      type: "Database",
      name: "twice",
      reason: "its age is unknown, because the audit log contains no entry with this id for its creation",
    },
  ],
  unlistedTypes: [
    {
      types: ["DatabaseToken", "GroupToken", "SigningKeyRotation"],
      reason: "the platform does not provide a list of them",
    },
  ],
  unreadableAuditLog: [
    {
      cause:
        "could not list audit logs (GET /v1/organizations/acme/audit-logs): the platform returned HTTP 403: forbidden",
    },
  ],
  unreadableFile: [
    { reason: "ENOENT: no such file or directory, open 'preview.json'", contents: "preview" },
    { file: "dev.json", reason: "ENOENT: no such file or directory, open 'dev.json'" },
  ],
  unsupportedType: [{ types: ["Group", "Database"] }],
  unwritableFile: [
    { file: "reports/import.json", reason: "ENOENT: no such file or directory, open 'reports/import.json'" },
  ],
  writtenImportFile: [
    { file: "import.json", count: 0 },
    { file: "import.json", count: 1 },
    { file: "import.json", count: 7 },
  ],
  connectionClosed: [{ reason: "Error [ERR_HTTP2_INVALID_SESSION]: The session has been destroyed" }],
};
