import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// Group-scoped tokens can neither create nor delete groups, so a person runs this program.
const group = new dbplatform.Group("shop", { location: "aws-eu-west-1", deleteProtection: true }, { protect: true });

// If this value changes, the next `up` creates new tokens and revokes the old ones. Store the new tokens afterwards.
const keepers = { rotated: new pulumi.Config().get("rotated") ?? "never" };

const tokenFor = (job: string, scopes: dbplatform.Scope[]) =>
  new dbplatform.ApiToken(`shop-${job}`, { group: group.id, scopes, keepers }).token;

// For previews of pull requests.
export const previewToken = tokenFor("preview", ["read"]);
// For deployments: can create, restore and configure databases, but cannot delete them.
export const deployToken = tokenFor("deploy", ["read", "db:create", "db:configure"]);
// For the drift check, which runs only on the main branch.
export const driftToken = tokenFor("drift", ["read"]);

// Ids that group-scoped tokens cannot look up.
export const organizationId = group.organizationId;
export const groupId = group.id;
