import type { Seed } from "../../platform/reference/seed/seed";
import { dbplatform } from "../dbplatform";

const GROUPS = ["default", "shop", "eu", "2nd"];
const DATABASES = 130;
const CONFIGURED = 45;
const TOKENS = 20;

/** Number of resources to adopt, including the caller's own token. */
export const SIZE = GROUPS.length + DATABASES + CONFIGURED + TOKENS + 1;

const numbered = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

const configured = (index: number) =>
  [
    { delete_protection: true },
    { size_limit: "1gb", allow_attach: true },
    { allowed_ips: ["10.0.0.0/8", "2001:db8::/32"], block_writes: true },
  ][index % 3];

/** An organization with two hundred live resources of all kinds and a few deleted ones. */
export const ORGANIZATION: Seed = {
  users: [{ username: "ada" }, { username: "max" }],
  organizations: [
    {
      slug: "acme",
      plan: "scaler",
      members: [
        { username: "ada", role: "owner" },
        { username: "max", role: "admin" },
      ],
      groups: [
        ...GROUPS.map((name, index) => ({
          name,
          location: "aws-us-east-1",
          other_locations: index === 1 ? ["aws-eu-west-1"] : [],
          delete_protection: index === 2,
        })),
        { name: "gone", location: "aws-eu-west-1", deleted_at: "-2d" },
        { name: "empty", deleted_at: "-1d" },
      ],
      databases: [
        ...numbered(DATABASES, (index) => ({
          name: index === 0 ? "class" : `db-${index}`,
          group: GROUPS[index % GROUPS.length] ?? "",
          ...(index < CONFIGURED ? configured(index) : {}),
        })),
        { name: "in-gone", group: "gone" },
        { name: "lost", group: "shop", deleted_at: "-1d" },
        { name: "twice", group: "shop", deleted_at: "-3d" },
        { name: "twice", group: "shop", deleted_at: "-2d" },
        { name: "db-1", group: "shop", deleted_at: "-1d" },
      ],
      tokens: [
        ...numbered(TOKENS, (index) => ({
          name: `token-${index}`,
          user: index % 2 === 0 ? "ada" : "max",
          ...(index < 10 ? { group: GROUPS[index % GROUPS.length] ?? "", scopes: ["read", "db:create"] } : {}),
        })),
      ],
    },
  ],
};

export const adopt = dbplatform("adopt");
