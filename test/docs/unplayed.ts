/** A block in the docs that `stories.ts` does not run, identified by its page and its first characters. */
interface Unplayed {
  readonly page: string;
  readonly beginning: string;
}

/** Blocks that other tests read from the docs. `test` is the path of the test, which must contain the string `by`. */
export const READ: readonly (Unplayed & { readonly test: string; readonly by: string })[] = [
  // The test plays the whole page, once for each provider and for each case.
  { page: "docs/moving.md", beginning: "", test: "test/engine/moving.test.ts", by: '"docs/moving.md"' },
  ...[
    "npm install ",
    "name: quickstart",
    "export PULUMI_BACKEND_URL",
    "curl -X DELETE",
    "pulumi preview\npulumi up",
  ].map((beginning) => ({
    page: "README.md",
    beginning,
    test: "test/package/first-minute.test.ts",
    by: '"README.md"',
  })),
  {
    page: "docs/reference-api.md",
    beginning: "# yaml-language-server: $schema=./node_modules/pulumi-dbplatform/dist/seed.schema.json",
    test: "test/reference/documents.test.ts",
    by: "docs/reference-api.md",
  },
  {
    page: "docs/reference-api.md",
    beginning: "# yaml-language-server: $schema=./node_modules/pulumi-dbplatform/dist/faults.schema.json",
    test: "test/reference/documents.test.ts",
    by: "docs/reference-api.md",
  },
  {
    page: "docs/reference-api-sql.md",
    beginning: "create table movies",
    test: "test/reference/sql/vectors.test.ts",
    by: "docs/reference-api-sql.md",
  },
  {
    page: "docs/drift.md",
    beginning: "dbplatform:index:Database (orders):",
    test: "test/stories/databases.test.ts",
    by: '"20 minutes ago"',
  },
  ...["import pulumi\n", "package main", "resources:"].map((beginning) => ({
    page: "docs/_index.md",
    beginning,
    test: "test/engine/examples/in-schema.test.ts",
    by: "examplesIn",
  })),
  ...["const dbplatform = require", "resources:"].map((beginning) => ({
    page: "docs/installation-configuration.md",
    beginning,
    test: "test/package/languages.test.ts",
    by: "docs/installation-configuration.md",
  })),
  {
    page: "docs/python.md",
    beginning: "names = ",
    test: "test/engine/examples/in-schema.test.ts",
    by: "(names = ",
  },
  // The test plays the rest of both pages.
  ...["docs/python.md", "docs/go.md"].map((page) => ({
    page,
    beginning: "",
    test: "test/package/without-release.test.ts",
    by: page,
  })),
  ...["export DATABASE_URL", "npx drizzle-kit generate"].map((beginning) => ({
    page: "docs/migrations.md",
    beginning,
    test: "test/engine/examples/migrations.test.ts",
    by: '"docs/migrations.md"',
  })),
  ...["pulumi --cwd tokens stack init", "pulumi stack init production", "pulumi --cwd tokens config set"].map(
    (beginning) => ({
      page: "examples/ci/README.md",
      beginning,
      test: "test/engine/examples/ci.test.ts",
      by: '"examples/ci/README.md"',
    }),
  ),
  ...["{\n", "pulumi stack export", "pulumi policy analyze"].map((beginning) => ({
    page: "examples/policy/README.md",
    beginning,
    test: "test/engine/examples/policy.test.ts",
    by: '"examples/policy/README.md"',
  })),
];

/** Blocks that no test runs, each with the reason. */
export const NOT_RUN: readonly (Unplayed & { readonly reason: string })[] = [
  {
    page: "docs/installation-configuration.md",
    beginning: "npm install pulumi-dbplatform",
    reason: "The package is not published; test/package installs the packed file.",
  },
  {
    page: "docs/migrations.md",
    beginning: "npm install ./pulumi-dbplatform-",
    reason:
      "It needs packages of the registry; test/package/first-minute.test.ts runs such lines of the README, and test/engine/examples/migrations.test.ts the rest of the page.",
  },
  { page: "README.md", beginning: "export DBPLATFORM_BASE_URL=https", reason: "It needs an account." },
  { page: "docs/architecture.md", beginning: "program ─▶ sdk", reason: "It is a diagram." },
  {
    page: "docs/installation-configuration.md",
    beginning: "pulumi package add",
    reason: "It needs the tools of another language; the release generates, installs and compiles the SDKs.",
  },
  { page: "docs/drift.md", beginning: "pulumi stack schedule new", reason: "It needs Pulumi Cloud." },
  {
    page: "docs/drift.md",
    beginning: "apiVersion: pulumi.com/v1",
    reason: "It needs a Kubernetes cluster; test/engine/drift-commands.test.ts runs the commands of the operator.",
  },
  ...["pulumi preview --policy-pack", "Policies:"].map((beginning) => ({
    page: "examples/policy/README.md",
    beginning,
    reason:
      "The language host that runs a pack from its folder cannot be built here; test/engine/examples/policy.test.ts runs the pack as an executable.",
  })),
  {
    page: "docs/reference-api.md",
    beginning: "npx pulumi-dbplatform api serve\n",
    reason: "It runs until Ctrl-C; test/engine/examples/run-it.test.ts runs it with a seed.",
  },
  {
    page: "docs/reference-api-sql.md",
    beginning: "npx pulumi-dbplatform api serve --sql --data",
    reason: "It runs until Ctrl-C; test/reference/sql/durability.test.ts runs it.",
  },
  {
    page: "docs/reference-api-sql.md",
    beginning: "npx pulumi-dbplatform api serve --sql --sql-folder",
    reason: "It runs until Ctrl-C; test/reference/shared/sql-folder.test.ts runs it on PostgreSQL.",
  },
  {
    page: "docs/reference-api.md",
    beginning: 'eval "$(npx pulumi-dbplatform api serve --background)" && turso',
    reason: "It needs Turso's command line; test/clients/turso-cli.test.ts sends the same requests.",
  },
  ...['turso db shell "http', 'eval "$(npx pulumi-dbplatform api serve --background --sql'].map((beginning) => ({
    page: "docs/reference-api-sql.md",
    beginning,
    reason:
      "It needs Turso's command line; test/reference/sql/transfers.test.ts and tunnel.test.ts send the same requests.",
  })),
  ...["docker build", "export DBPLATFORM_REFERENCE_KEY"].map((beginning) => ({
    page: "docs/reference-api.md",
    beginning,
    reason:
      "It needs a container engine; test/package/image.test.ts builds and runs the image without one, and the workflow with one.",
  })),
  ...["jobs:\n", "test:\n"].map((beginning) => ({
    page: "docs/testing.md",
    beginning,
    reason: "It needs a pipeline; test/reference/command/command.test.ts runs `token` with the key in the environment.",
  })),
  {
    page: "examples/testcontainers/README.md",
    beginning: "docker build",
    reason: "It needs a container engine; test/package/image.test.ts builds the image without one.",
  },
  {
    page: "docs/reference-api.md",
    beginning: "createClient(",
    reason: "It is an expression; test/clients/turso-api.test.ts creates the client with the same options.",
  },
  {
    page: "examples/ci/README.md",
    beginning: "pulumi --cwd tokens stack output previewToken",
    reason: "It needs a repository on GitHub.",
  },
];
