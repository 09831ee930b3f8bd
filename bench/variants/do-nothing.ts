import { randomUUID } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/**
 * The smallest possible dynamic provider for databases: it sends no requests, compares nothing, and returns the outputs
 * of a real database.
 */
const outputs = JSON.parse(process.env.BENCH_OUTPUTS ?? "{}")["dbplatform:index:Database"];
const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs) {
    const { BENCH_OUTPUTS = "{}" } = process.env;
    const dbId = randomUUID();
    return { id: dbId, outs: { ...JSON.parse(BENCH_OUTPUTS)["dbplatform:index:Database"], ...inputs, dbId } };
  },
};

class Database extends pulumi.dynamic.Resource {
  constructor(name: string) {
    const unset = Object.fromEntries(Object.keys(outputs).map((output) => [output, undefined]));
    super(provider, name, { ...unset, name, group: "default" });
  }
}

const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) new Database(`db-${index}`);
