import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";
import { Tenant, type Terms } from "./tenant";

// To add a tenant, run for example `pulumi config set --path tenants.umbrella.sizeLimit 512mb`.
const terms = new pulumi.Config().requireObject<Record<string, Terms>>("tenants");

const group = new dbplatform.Group("tenants", { location: "aws-eu-west-1", deleteProtection: true }, { protect: true });

const tenants = Object.entries(terms).map(([name, its]) => [name, new Tenant(name, { group, ...its })] as const);

export const hostnames = Object.fromEntries(tenants.map(([name, { hostname }]) => [name, hostname]));
export const tokens = Object.fromEntries(tenants.map(([name, { token }]) => [name, token]));
