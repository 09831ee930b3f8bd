import * as z from "zod";
import { platformFunction } from "../platform";
import { listMembers } from "../resources/organization/people";
import { limit } from "./arguments";
import { firstOf, namedType, truncated } from "./results";

const MemberEntry = namedType("MemberEntry", "A member of the organization.", {
  username: z.string().describe("Username, by which a `Member` is imported."),
  role: z.string().describe("Role: `owner`, `admin`, `member` or `viewer`."),
  email: z.string().optional().describe("Email address, if the platform shows it."),
});

export const getMembers = platformFunction({
  name: "getMembers",
  reads: ["listMembers"],
  description: "The members of the organization, owners included.",
  args: z.object({ limit }),
  result: z.object({ members: z.array(MemberEntry).describe("The members, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { items, whole } = firstOf(await listMembers(context), limit);
    const members = items.map(({ username, role, email }) => ({ username, role, email }));
    return { members, truncated: !whole };
  },
});
