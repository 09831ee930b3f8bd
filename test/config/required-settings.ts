import type { MissingSetting } from "../../kit/facts";

/** The provider's required settings, as the message about missing settings names them. */
export const REQUIRED_SETTINGS: readonly MissingSetting[] = [
  { name: "organization", isSecret: false, variable: "DBPLATFORM_ORGANIZATION" },
  { name: "apiToken", isSecret: true, variable: "DBPLATFORM_API_TOKEN" },
  { name: "baseUrl", isSecret: false, variable: "DBPLATFORM_BASE_URL", usual: "https://api.turso.tech" },
];
