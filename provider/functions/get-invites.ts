import * as z from "zod";
import { platformFunction } from "../platform";
import { listInvites } from "../resources/organization/people";
import { limit } from "./arguments";
import { firstOf, namedType, truncated } from "./results";

const InviteEntry = namedType("InviteEntry", "A pending invite.", {
  email: z.string().describe("Email address, by which an `Invite` is imported."),
  role: z.string().describe("Role that the person gets."),
  createdAt: z.string().describe("Time of the invite (RFC 3339)."),
});

export const getInvites = platformFunction({
  name: "getInvites",
  reads: ["listInvites"],
  description:
    "The pending invites to the organization. Those who have accepted an invite are members: see `getMembers`.",
  args: z.object({ limit }),
  result: z.object({ invites: z.array(InviteEntry).describe("The invites, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { items, whole } = firstOf(await listInvites(context), limit);
    const invites = items.map(({ email, role, created_at }) => ({ email, role, createdAt: created_at }));
    return { invites, truncated: !whole };
  },
});
