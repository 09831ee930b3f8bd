import * as dbplatform from "pulumi-dbplatform";

// Contains nothing but the databases that the service creates, so that no stack takes them for its own.
const group = new dbplatform.Group("tenants", { location: "aws-eu-west-1", deleteProtection: true }, { protect: true });

// The service finds and creates databases, and connects to them. It can neither delete nor configure one.
const service = new dbplatform.ApiToken("service", {
  group: group.id,
  scopes: ["read", "db:create", "db:mint-token"],
});

export const groupName = group.name;
export const organizationId = service.organizationId;
export const token = service.token;
