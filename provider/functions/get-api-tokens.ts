import * as z from "zod";
import { platformFunction } from "../platform";
import { apiToken, listApiTokens } from "../resources/token/api-token";
import { limit } from "./arguments";
import { firstOf, namedType, truncated } from "./results";

const { name, groupId, groupName } = apiToken.state.shape;

const ApiTokenEntry = namedType("ApiTokenEntry", "An API token, without the token itself.", {
  id: z.string().describe("Id of the token, by which an `ApiToken` is imported."),
  name,
  groupId,
  groupName,
  scopes: z
    .array(z.string())
    .optional()
    .describe("Scopes of a group-scoped token. Presets are shown as the scopes that they stand for."),
  owner: z.string().optional().describe("Username of the person who minted the token. Visible to admins and owners."),
  createdAt: z.string().optional().describe("Day on which the token was minted (`YYYY-MM-DD`)."),
});

export const getApiTokens = platformFunction({
  name: "getApiTokens",
  reads: ["listApiTokens"],
  description:
    "The API tokens of the organization, without the tokens themselves. Admins and owners see all tokens, others the tokens that they minted.",
  args: z.object({ limit }),
  result: z.object({ tokens: z.array(ApiTokenEntry).describe("The tokens, as the platform lists them."), truncated }),

  async read({ limit }, context) {
    const { organization } = context.platform;
    const { items, whole } = firstOf(await listApiTokens(context), limit);
    const groups = items.some(({ group }) => group !== undefined) ? await organization.groups() : [];
    const tokens = items.map((entry) => ({
      id: entry.id,
      name: entry.name,
      groupName: entry.group,
      scopes: entry.scopes,
      groupId: groups.find(({ name }) => name === entry.group)?.uuid,
      owner: entry.owner?.username,
      createdAt: entry.created_at,
    }));
    return { tokens, truncated: !whole };
  },
});
