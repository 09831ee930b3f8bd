import * as pulumi from "@pulumi/pulumi";
import { Database } from "pulumi-dbplatform";

const count = new pulumi.Config().requireNumber("count");
for (let index = 0; index < count; index++) new Database(`db-${index}`, { name: `db-${index}`, group: "default" });
