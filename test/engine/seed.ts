import type { Seed } from "../../platform/reference/seed/seed";

/** Two organizations. Each has two groups, the owner Ada and the member Max. Zoe is in neither organization. */
export const SEED: Seed = {
  users: [{ username: "ada" }, { username: "max" }, { username: "zoe" }],
  organizations: ["acme", "globex"].map((slug) => ({
    slug,
    plan: "scaler",
    members: [
      { username: "ada", role: "owner" },
      { username: "max", role: "member" },
    ],
    groups: [
      { name: "default", location: "aws-us-east-1" },
      { name: "other", location: "aws-eu-west-1" },
    ],
  })),
};

type SeededDatabase = NonNullable<Seed["organizations"][number]["databases"]>[number];

/**
 * Returns a seed with one organization, its owner, and one group. The group holds `count` generated databases and the
 * databases in `others`.
 */
export const acmeWith = (count: number, ...others: readonly SeededDatabase[]): Seed => ({
  users: [{ username: "ada" }],
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [{ username: "ada", role: "owner" }],
      groups: [{ name: "default" }],
      databases: [...Array.from({ length: count }, (_, index) => ({ name: `db-${index}` })), ...others],
    },
  ],
});
