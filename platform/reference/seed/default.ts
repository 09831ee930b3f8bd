import type { CompleteSeed } from "./seed";

/**
 * The seed that the server uses by default. All optional fields are filled in, so that the server need not load the
 * schema, which took a twentieth of the start. Max is in no organization, so that a program can add him as a member.
 */
export const DEFAULT_SEED: CompleteSeed = {
  users: [
    { username: "ada", email: "ada@acme.example" },
    { username: "max", email: "max@acme.example" },
  ],
  locations: "aws",
  rejected_on_aws: [],
  organizations: [
    {
      slug: "acme",
      type: "team",
      plan: "scaler",
      overages: false,
      require_mfa: false,
      restore_enabled: true,
      members: [{ username: "ada", role: "owner" }],
      groups: [
        {
          name: "default",
          location: "aws-us-east-1",
          other_locations: [],
          delete_protection: false,
          archived: false,
        },
      ],
      databases: [],
      invites: [],
      audit_logs: [],
      tokens: [],
    },
  ],
};
