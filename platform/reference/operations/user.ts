import { isInvited } from "../store/invites";
import { findOrganization } from "../store/organizations";
import type { Handlers } from "./handler";

export const user: Pick<Handlers, "retrieveUser"> = {
  async retrieveUser(_request, { state, caller }) {
    const { username, name, email } = caller.user;
    const personal = await findOrganization(state, { slug: username });
    return {
      user: {
        username,
        name,
        email,
        avatarUrl: "",
        plan: personal?.plan ?? "",
        mfa: false,
        has_pending_invites: await isInvited(state, email),
      },
    };
  },
};
