import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// A stack for each pull request, and no other: all of it is destroyed, with whatever its tests have made.
const stack = pulumi.getStack();
if (!/^pr-\d+$/.test(stack)) throw new Error(`"${stack}" is not the stack of a pull request, such as pr-17.`);

// `forceDestroy`: its deletion takes along every database that is in it, also those that this program does not know.
const group = new dbplatform.Group(stack, { location: "aws-eu-west-1", forceDestroy: true });

// A copy, since whatever a pull request runs may write to it; and not of production, since it may read it too.
const seed = { database: "staging" };

// `deletedWith`: the group takes them along, so nobody has to delete them one by one.
const orders = new dbplatform.Database("orders", { group: group.id, seed }, { deletedWith: group });
const catalogue = new dbplatform.Database("catalogue", { group: group.id }, { deletedWith: group });

export const hostnames = { orders: orders.hostname, catalogue: catalogue.hostname };
export const groupName = group.name;
