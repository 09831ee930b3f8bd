import type { Seed } from "../../platform/reference/seed/seed";

/** Two teams and two personal accounts. The users Stan and Max belong to no team. */
export const PEOPLE: Seed = {
  users: ["olga", "otto", "adam", "mira", "vera", "stan", "max"].map((username) => ({ username })),
  organizations: [
    {
      slug: "acme",
      members: [
        { username: "olga", role: "owner" },
        { username: "adam", role: "admin" },
        { username: "mira", role: "member" },
        { username: "vera", role: "viewer" },
      ],
      groups: [{ name: "default" }],
    },
    {
      slug: "twin",
      members: [
        { username: "olga", role: "owner" },
        { username: "otto", role: "owner" },
      ],
    },
    {
      slug: "olga",
      type: "personal",
      plan: "starter",
      members: [{ username: "olga", role: "owner" }],
      groups: [{ name: "home" }],
    },
    {
      slug: "stan",
      type: "personal",
      plan: "developer",
      members: [{ username: "stan", role: "owner" }],
      groups: [{ name: "home" }],
    },
  ],
};
