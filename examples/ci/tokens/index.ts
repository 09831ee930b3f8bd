import * as dbplatform from "pulumi-dbplatform";

// No token that is pinned to a group can make or delete a group, so a person does.
const group = new dbplatform.Group("shop", { location: "aws-eu-west-1", deleteProtection: true }, { protect: true });

// Another value, and the next `up` mints every token anew and revokes the old ones: store them again then.
const keepers = { rotated: "2026-11" };

const tokenFor = (job: string, scopes: string[]) =>
  new dbplatform.ApiToken(`shop-${job}`, { group: group.id, scopes, keepers }).token;

// The program of a pull request runs with it.
export const previewToken = tokenFor("preview", ["read"]);
// Makes, restores and configures databases. It cannot delete one.
export const deployToken = tokenFor("deploy", ["read", "db:create", "db:configure"]);
// Only what is on the main branch runs with it.
export const driftToken = tokenFor("drift", ["read"]);

// What tokens that are pinned to a group cannot look up.
export const organizationId = group.organizationId;
export const groupId = group.id;
