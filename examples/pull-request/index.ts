import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

// Accepts only stacks of pull requests, because destroying the stack also deletes everything that tests have created.
const stack = pulumi.getStack();
if (!/^pr-\d+$/.test(stack)) throw new Error(`"${stack}" is not the stack of a pull request, such as pr-17.`);

// With `forceDestroy`, deleting the group also deletes all of its databases, including those that are not in this
// program.
const group = new dbplatform.Group(stack, { location: "aws-eu-west-1", forceDestroy: true });

// The database is a copy, because code in a pull request may write to it. It is not a copy of production, because that
// code may also read it.
const seed = { database: "staging" };

// With `deletedWith`, the databases are deleted together with their group instead of one by one.
const orders = new dbplatform.Database("orders", { group: group.id, seed }, { deletedWith: group });
const catalogue = new dbplatform.Database("catalogue", { group: group.id }, { deletedWith: group });

export const hostnames = { orders: orders.hostname, catalogue: catalogue.hostname };
export const groupName = group.name;
