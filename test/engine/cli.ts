import { dirname } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";

export const Pulumi = {
  get bin(): string {
    const bin = process.env.PULUMI_BIN;
    if (!bin) throw new Error("PULUMI_BIN is not set: run the tests with `npm test`");
    return bin;
  },
  command: (): Promise<PulumiCommand> => PulumiCommand.get({ root: dirname(Pulumi.bin) }),
};
