// @module-tag more
// @module-tag clear-messages

import { expect, test } from "vitest";
import { ORGANIZATION_LEVEL, scopesMissing } from "../../../provider/permissions/messages";
import { type EngineFixture, engineFixture, environmentOf } from "../engine-fixture";
import type { Stack } from "../stack";

/** The credential that `dbplatform scopes` derives for an example. */
type Derived =
  | { readonly level: "group"; readonly group: { readonly name: string }; readonly scopes: readonly string[] }
  | { readonly level: "organization"; readonly role: Role };

const ROLES = ["viewer", "member", "admin", "owner"] as const;
type Role = (typeof ROLES)[number];

interface Run {
  readonly needs: Derived;
  /** Command that prints the preview as JSON. */
  readonly preview?: string;
  /**
   * Command that fails or warns if a scope is missing. For dynamic providers it must be an update, because their
   * previews neither fail nor warn.
   */
  readonly attempt?: string;
  readonly run?: string;
  /** Prepares the stack and the platform for the run. */
  readonly before?: (here: EngineFixture, stack: Stack) => Promise<unknown>;
  /** Set if `attempt` undoes what `before` prepares, so that `before` must be called again. */
  readonly again?: true;
}

const inDefault = (...scopes: string[]): Derived => ({ level: "group", group: { name: "default" }, scopes });
const organization = (role: Role): Derived => ({ level: "organization", role });

/** Deletes all databases outside Pulumi, except those with delete protection. */
const deleteAll = async ({ api, outside, ...here }: EngineFixture) => {
  const { databases } = await outside.listDatabases({ organizationSlug: api.organization });
  for (const { DbId, delete_protection } of databases) if (!delete_protection) await here.deleteDatabase(DbId);
};

const UPDATE = "pulumi up --yes --skip-preview";

/** The examples that are Pulumi programs, each with its runs in order. */
const EXAMPLES: readonly [example: string, ...runs: Run[]][] = [
  ["quickstart", { needs: inDefault("read", "db:create", "db:mint-token") }],
  ["tenants", { needs: organization("member") }],
  ["restore", { needs: organization("member") }],
  ["yaml", { needs: organization("admin") }],
  [
    "pull-request",
    {
      needs: organization("member"),
      async before(here, stack) {
        await here.createDatabase("staging");
        await stack.shell("pulumi stack init pr-17");
      },
    },
  ],
  [
    "ci",
    {
      needs: organization("admin"),
      before: (_, stack) => stack.shell("pulumi --cwd tokens stack init tokens"),
      preview: "pulumi --cwd tokens preview --json",
      attempt: "pulumi --cwd tokens preview",
      run: `${UPDATE} --cwd tokens`,
    },
    {
      needs: inDefault("read", "db:create", "db:configure"),
      before: (_, stack) => stack.setConfig("group", "default"),
    },
    { needs: inDefault("read", "db:create"), before: deleteAll },
  ],
  [
    "dynamic",
    {
      needs: inDefault("read", "db:create", "db:configure"),
      before: (_, stack) => stack.shell("pulumi stack init --no-select other"),
      attempt: `${UPDATE} --stack other`,
    },
    {
      needs: inDefault("read", "db:create", "db:configure"),
      before: deleteAll,
      again: true,
      preview: "pulumi preview --refresh --json",
      attempt: `${UPDATE} --refresh`,
      run: `${UPDATE} --refresh`,
    },
  ],
  [
    "automation",
    {
      needs: inDefault("read", "db:delete"),
      before: (_, stack) => stack.shell("node customers.ts add globex"),
      preview: "pulumi destroy --preview-only --json --stack globex",
      attempt: "node customers.ts remove globex",
      run: "node customers.ts remove globex",
    },
  ],
];

test.each(EXAMPLES)(
  "the %s example succeeds with the permissions from `dbplatform scopes`, and fails with fewer",
  async (example, ...runs) => {
    const here = await engineFixture({ sql: true });
    const stack = await here.stack(example);
    for (const {
      needs,
      before,
      preview = "pulumi preview --json",
      attempt = "pulumi preview",
      run = UPDATE,
      again,
    } of runs) {
      await before?.(here, stack);
      const { output } = await stack.shell(`${preview} 2>/dev/null | node_modules/.bin/dbplatform scopes --json -`);
      const { credentials } = JSON.parse(output) as { credentials: unknown };
      expect(credentials).toMatchObject([needs]);
      const tried = async (script: string, token: Parameters<typeof here.api.token>[0]) => {
        const environment = environmentOf(here.api, "acme", await here.api.token(token));
        return stack.shell(script, {
          environment: { ...environment, DBPLATFORM_ORGANIZATION_ID: here.api.organizationId },
        });
      };
      if (needs.level === "group") {
        const { group, scopes } = needs;
        for (const scope of scopes) {
          const without = { group: group.name, scopes: scopes.filter((each) => each !== scope) };
          expect((await tried(attempt, without)).output, `${example} without ${scope}`).toContain(
            scopesMissing({ scopes: [scope] }),
          );
        }
        if (again) await before?.(here, stack);
        expect(await tried(run, { group: group.name, scopes })).toMatchObject({ code: 0 });
        continue;
      }
      const pinned = await tried(attempt, { group: "default", scopes: ["full-access"] });
      const impossible = Object.values(ORGANIZATION_LEVEL).map((words) => `a group-scoped API token cannot ${words} `);
      expect(impossible.filter((words) => pinned.output.includes(words))).not.toEqual([]);
      const lower = ROLES[ROLES.indexOf(needs.role) - 1];
      for (const role of lower ? [lower] : []) {
        await here.api.member(`a ${role}`, role);
        const refused = await tried(run, { user: `a ${role}`, organization: "acme" });
        expect(refused.code, role).not.toBe(0);
        expect(refused.output).toContain("HTTP 403");
      }
      await here.api.member("derived", needs.role);
      expect(await tried(run, { user: "derived", organization: "acme" })).toMatchObject({ code: 0 });
    }
  },
);
