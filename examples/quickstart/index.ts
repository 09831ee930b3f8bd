import * as dbplatform from "pulumi-dbplatform";

const orders = new dbplatform.Database("orders", { group: "default" });

// A token for the pipeline: it may read and create databases in that group, and nothing else.
const pipeline = new dbplatform.ApiToken("pipeline", {
  group: orders.groupId,
  scopes: ["read", "db:create"],
});

export const dbId = orders.dbId;
export const hostname = orders.hostname;
export const pipelineToken = pipeline.token;
