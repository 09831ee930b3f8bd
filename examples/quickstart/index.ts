import * as dbplatform from "pulumi-dbplatform";

// In the group `default`, under a name made from "orders".
const orders = new dbplatform.Database("orders", { group: "default" });

// For the pipeline that makes databases beside it: it can reach that group alone, and nothing but read and create.
const pipeline = new dbplatform.ApiToken("pipeline", {
  group: orders.groupId,
  scopes: ["read", "db:create"],
});

export const dbId = orders.dbId;
export const hostname = orders.hostname;
export const pipelineToken = pipeline.token;
