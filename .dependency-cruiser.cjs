/** The borders of the house: which room may import what (docs/architecture.md). */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: [from, ...allowed] },
});

const never = (name, from, to, comment) => ({ name, comment, severity: "error", from, to });

/** The list of resources and their families, each of which may import those after it. */
const FAMILIES = [
  "list",
  "organization",
  "token",
  "migrations",
  "database",
  "group",
  "owner",
  "importable",
  "deleted-databases",
  "drift-authors",
  "restoration",
  "messages",
];

/** Rooms and loose files of the reference API, each of which may import those after it. */
const REFERENCE = [
  "command",
  "server",
  "http",
  "openapi",
  "page",
  "control",
  "services",
  "reference-api",
  "snapshots",
  "sql",
  "journal",
  "faults",
  "seed",
  "requests",
  "operations",
  "credentials",
  "time",
  "ids",
  "messages",
  "refusal",
  "store",
  "assets",
  "or-closed",
];
/** Matches the files in these rooms of a folder, and loose files with these names. */
const inRooms = (folder, rooms) => `^${folder}/(${rooms.join("|")})(/|\\.ts$)`;

/** Forbids each room of a folder to import those before it. */
const inOrder = (name, folder, rooms, comment) =>
  rooms
    .slice(1)
    .map((room, index) =>
      never(
        `${name}-${room}`,
        { path: inRooms(folder, [room]) },
        { path: inRooms(folder, rooms.slice(0, index + 1)) },
        comment,
      ),
    );

const NODE = "^(node:|[a-z0-9_/]+$)";
const packages = (...names) => names.map((name) => `node_modules/${name}/`);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    never(
      "no-circles",
      { pathNot: "^sdk/nodejs/types/" },
      { circular: true },
      "A circle of imports has no order to read it in (what the generator writes of types is empty at run time).",
    ),
    never(
      "packages-stand-alone",
      { path: "^(kit|platform)/" },
      // What a script of the page imports is an address of the server.
      { pathNot: ["^$1/", "node_modules/", NODE, "^\\./morphlex"] },
      "Each imports only itself and its dependencies.",
    ),
    never(
      "packages-name-what-they-import",
      { path: "^(kit|platform)/" },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
      "The package.json of the package lists it.",
    ),
    never(
      "facts-are-types",
      {},
      { path: "(^|/)facts\\.ts$", dependencyTypesNot: ["type-only"] },
      "Every border lets the facts of messages pass, because nothing of them exists at run time.",
    ),
    only("values-are-pure", "^platform/values/", packages("ipaddr\\.js"), "Values know nothing but themselves."),
    only("contract-is-data", "^platform/contract/", ["^platform/values/", ...packages("zod")], "zod and values only."),
    only(
      "client",
      "^provider/client/",
      [
        "^kit/refusal\\.ts$",
        "^provider/facts\\.ts$",
        "^platform/(contract|values)/",
        NODE,
        ...packages("@libsql/hrana-client", "undici", "zod"),
      ],
      "The client derives from the contract; its messages name their facts as all do.",
    ),
    never(
      "undici-is-loaded-in-parts",
      { path: "^provider/", pathNot: "^provider/client/http/undici(\\.|-parts\\.d\\.)ts$" },
      { path: "node_modules/undici/", dependencyTypesNot: ["type-only"] },
      "Its main file takes twice as long to load.",
    ),
    ...inOrder(
      "reference-stands-in-order",
      "platform/reference",
      REFERENCE,
      "A request passes from http down to the store.",
    ),
    never(
      "every-part-of-the-reference-has-its-place",
      { path: "^platform/reference/", pathNot: inRooms("platform/reference", REFERENCE) },
      {},
      "A new room is entered in REFERENCE.",
    ),
    never(
      "reference-is-not-for-the-provider",
      { pathNot: "^(platform/reference|provider/twin|test|examples|bench|tools)/" },
      { path: "^platform/reference/" },
      "The provider speaks HTTP to it, like everybody else.",
    ),
    never(
      "a-twin-is-made-by-a-seed",
      { path: "^provider/twin/" },
      {
        path: "^(platform/reference/|kit/(plugin|dynamic|steps)/|provider/(adopt|functions|restore|scopes))",
        pathNot: "^platform/reference/seed/(content|mistakes|seed)\\.ts$",
      },
      "It reads an organization and writes a seed; of the reference API it knows the schema of seeds.",
    ),
    never(
      "making-a-twin-is-a-command",
      { pathNot: "^(provider/(twin/|command/main\\.ts)|tools/|test/)" },
      { path: "^provider/twin/" },
      "",
    ),
    never(
      "resource-is-an-interface",
      { path: "^kit/(resource|field|function|context|preflight|definition|results|capabilities)\\.ts$" },
      { path: "^kit/(run\\.ts$|(steps|lifecycle|plugin|dynamic)/)" },
      "What a resource is knows no step.",
    ),
    never(
      "resources-decide-nothing",
      { path: "^provider/resources/" },
      {
        path: "^(kit/(run|steps|lifecycle|plugin|dynamic|instance|settings|schema)\\b|provider/(settings|functions|connect|provider)\\b)",
      },
      "Resources make requests; the lifecycle decides.",
    ),
    ...inOrder(
      "families-stand-in-order",
      "provider/resources",
      FAMILIES,
      "Organization over token over migrations over database over group over what deleted objects share.",
    ),
    never(
      "lifecycle-knows-no-protocol",
      { path: "^kit/(steps|lifecycle)/" },
      { path: "^kit/(plugin|dynamic|instance|schema)\\b" },
      "Every kind of resource, and every function, is served alike.",
    ),
    never(
      "steps-import-no-step",
      { path: "^kit/steps/([^/]+)$" },
      { path: "^kit/steps/", pathNot: "^kit/steps/$1$" },
      "What two steps share stands below them.",
    ),
    never(
      "lifecycle-knows-no-step",
      { path: "^kit/(run\\.ts$|lifecycle/)" },
      { path: "^kit/steps/" },
      "What two steps share stands below them.",
    ),
    never(
      "functions-only-read",
      { path: "^provider/functions/" },
      {
        path: "^(kit/(run|steps|lifecycle|plugin|dynamic|instance|settings|schema)\\b|provider/(settings|connect|provider)\\b)",
      },
      "Functions make requests; the lifecycle checks.",
    ),
    never(
      "grpc-is-ours",
      { path: "^(kit|provider|sdk)/" },
      { path: "node_modules/(@grpc/grpc-js|google-protobuf|@pulumi/pulumi/proto)/" },
      "The plugin serves gRPC itself, because grpc-js and the generated messages take more time and memory.",
    ),
    never(
      "the-transport-knows-no-pulumi",
      { path: "^kit/plugin/transport/" },
      { path: "^(kit|platform|provider)/", pathNot: "^kit/(plugin/transport/|facts\\.ts$)" },
      "It carries bytes; only its messages name their facts as all do.",
    ),
    never(
      "messages-know-no-calls",
      { path: "^kit/plugin/protocol/" },
      { path: "^kit/plugin/", pathNot: "^kit/plugin/(protocol/|messages\\.ts$)" },
      "",
    ),
    never(
      "pulumi-stays-in-plugin-and-dynamic",
      { path: "^(kit|provider)/", pathNot: "^kit/(plugin|dynamic)/" },
      { path: "node_modules/@pulumi/" },
      "",
    ),
    never(
      "adopting-knows-no-pulumi",
      { path: "^provider/adopt/" },
      { path: "^(kit/(plugin|dynamic)/|provider/functions)" },
      "It asks resources and lifecycle, as the plugin and the dynamic provider do.",
    ),
    never(
      "restoring-knows-no-pulumi",
      { path: "^provider/restore/" },
      { path: "^(kit/(plugin|dynamic|steps)/|provider/(adopt|functions|scopes))" },
      "It plans on its own; the requests and the reasons are those of the resources.",
    ),
    never(
      "plans-send-no-request",
      { path: "^provider/restore/(plan|choice)\\.ts$" },
      { path: "^provider/(client|platform|connect|resources|inventory/deleted)" },
      "A plan is a function of what the survey has read.",
    ),
    only(
      "inventory-is-below-the-commands",
      "^provider/inventory/",
      ["^kit/(definition|results)\\.ts$", "^provider/(client|resources)/", "^provider/(facts|platform)\\.ts$"],
      "What adopting and restoring choose from; each command words what is hidden from it.",
    ),
    never(
      "inventory-is-for-commands",
      { pathNot: "^provider/(inventory|adopt|restore)/" },
      { path: "^provider/inventory/" },
      "",
    ),
    never(
      "restoring-is-a-command",
      { pathNot: "^(provider/(restore/|command/main\\.ts)|tools/|test/)" },
      { path: "^provider/restore/" },
      "",
    ),
    never(
      "adopting-is-a-command",
      { pathNot: "^(provider/(adopt/|command/main\\.ts)|tools/|test/)" },
      { path: "^provider/adopt/" },
      "",
    ),
    never(
      "scopes-sends-no-request",
      { path: "^provider/scopes/" },
      { path: "^(kit/(plugin|dynamic)/|kit/instance|provider/(adopt|settings|connect|provider|client/http/))" },
      "It reads a preview and the definitions.",
    ),
    never(
      "scopes-is-a-command",
      { pathNot: "^(provider/(scopes/|command/main\\.ts)|tools/|test/)" },
      { path: "^provider/scopes/" },
      "",
    ),
    only(
      "commands-share-little",
      "^provider/command/(?!main\\.ts)",
      [
        "^kit/(instance|lifecycle/context|refusal|settings)\\.ts$",
        "^package\\.json$",
        "^platform/values/duration\\.ts$",
        "^provider/(facts|platform|provider)\\.ts$",
        NODE,
        ...packages("commander", "zod"),
      ],
      "All commands reach the platform, read files, print and fail in one way; their messages name their facts as all do.",
    ),
    never("plugin-knows-no-dynamic-provider", { path: "^kit/plugin/" }, { path: "^kit/dynamic/" }, ""),
    never("dynamic-provider-knows-no-plugin", { path: "^kit/dynamic/" }, { path: "^kit/plugin/" }, ""),
    never(
      "sdk-stands-alone",
      { path: "^sdk/" },
      { path: "^(kit|provider|platform|tools|test)/", pathNot: "^kit/dynamic/sdk\\.ts$" },
      "",
    ),
    only(
      "dynamic-sdk-stands-alone",
      "^kit/dynamic/sdk\\.ts$",
      packages("@pulumi/pulumi"),
      "Every program loads it; it loads the provider's code when it is needed.",
    ),
    never(
      "bench-only-looks",
      { pathNot: "^(bench|test)/" },
      { path: "^bench/" },
      "What is measured knows nothing of it.",
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(kit/)?dist/|^(bench|kit|platform|provider)/.*\\.test\\.ts$" },
    enhancedResolveOptions: { conditionNames: ["types", "require", "node", "default"], exportsFields: ["exports"] },
  },
};
