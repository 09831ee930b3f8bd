import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import * as dbplatform from "pulumi-dbplatform";

// Runs when a customer signs up (`node customers.ts add globex`) or leaves (`node customers.ts remove globex`).
const [action, customer = ""] = process.argv.slice(2);
if (!/^[a-z][a-z0-9-]{1,30}$/.test(customer)) throw new Error(`"${customer}" is not the short name of a customer.`);

async function program() {
  const { hostname } = new dbplatform.Database(customer, { group: "default" });
  return { hostname };
}

/**
 * Each customer has a separate stack, so that stacks can be updated in parallel and an error affects only one customer.
 */
const stackOf = (stackName: string): Promise<Stack> =>
  LocalWorkspace.createOrSelectStack(
    { stackName, projectName: "automation", program },
    { workDir: import.meta.dirname },
  );

if (action === "add") {
  const stack = await stackOf(customer);
  const { outputs } = await stack.up();
  console.log(`${customer}: ${outputs.hostname?.value}`);
} else if (action === "remove") {
  const stack = await stackOf(customer);
  await stack.destroy({ remove: true });
  console.log(`${customer} is gone, and can be restored for five days.`);
} else {
  throw new Error(`"${action}" is neither add nor remove.`);
}
