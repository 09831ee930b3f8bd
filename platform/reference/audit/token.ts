import type { Audits } from "./entry";

export const token: Pick<Audits, "createApiToken" | "revokeApiToken"> = {
  createApiToken: ({ request: { body }, answer: { name, id } }) => ({
    code: "user-token-create",
    data: { name, id, group: body?.group, scopes: body?.scopes },
  }),
  revokeApiToken: ({ answer }) => ({ code: "user-token-revoke", data: { id: answer.token } }),
};
