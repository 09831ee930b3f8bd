import type { Declared, Value } from "../../kit/laws/declared-program";

type Args = Readonly<Record<string, Value>>;
type Options = Pick<Declared, "import" | "protect" | "after">;

const declare =
  (type: string) =>
  (args: Args, options: Options = {}): Declared => ({ type, args, ...options });

export const aGroup = declare("Group");
export const aDatabase = declare("Database");

export const idOf = (of: string) => ({ of, output: "id" });

export const tenants = aGroup({ name: "tenants", location: "aws-us-east-1" });
