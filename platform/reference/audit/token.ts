import type { Audits } from "./entry";

export const token: Pick<
  Audits,
  "createApiToken" | "createNestedApiToken" | "revokeOwnApiToken" | "invalidateApiTokens" | "revokeApiToken"
> = {
  createApiToken: ({ request: { body }, answer: { name, id } }) => ({
    code: "user-token-create",
    data: { name, id, group: body?.group, scopes: body?.scopes },
  }),
  createNestedApiToken: ({ request: { body }, answer: { token } }) => ({
    code: "user-token-create",
    data: { name: token.name, id: token.id, group: body?.group, scopes: body?.scopes },
  }),
  revokeOwnApiToken: ({ answer }) => ({ code: "user-token-revoke", data: { name: answer.token } }),
  invalidateApiTokens: () => ({ code: "user-token-invalidate", data: {} }),
  revokeApiToken: ({ answer }) => ({ code: "user-token-revoke", data: { id: answer.token } }),
};
