import * as pulumi from "@pulumi/pulumi";

interface DatabaseInputs {
  name: string;
  group: string;
}

interface DatabaseOutputs extends DatabaseInputs {
  dbId: string;
  hostname: string;
}

interface Answer {
  database: { DbId: string; Name: string; Hostname: string; group: string };
}

async function call(method: string, path: string, body?: object): Promise<Answer | undefined> {
  const organization = process.env.DBPLATFORM_ORGANIZATION;
  const answer = await fetch(`${process.env.DBPLATFORM_BASE_URL}/v1/organizations/${organization}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${process.env.DBPLATFORM_API_TOKEN}`,
      "Content-Type": "application/json",
    },
    body: body && JSON.stringify(body),
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

class DatabaseProvider implements pulumi.dynamic.ResourceProvider {
  async create(inputs: DatabaseInputs): Promise<pulumi.dynamic.CreateResult> {
    const created = await call("POST", "/databases", { name: inputs.name, group: inputs.group });
    if (!created) throw new Error("there is no such group");
    const { database } = created;
    return { id: database.DbId, outs: { ...inputs, dbId: database.DbId, hostname: database.Hostname } };
  }

  async read(id: string, props: DatabaseOutputs): Promise<pulumi.dynamic.ReadResult> {
    const found = await call("GET", `/databases/${props.name}`);
    if (!found) return {};
    const { database } = found;
    return {
      id,
      props: { ...props, name: database.Name, group: database.group, dbId: database.DbId, hostname: database.Hostname },
    };
  }

  async diff(_id: string, olds: DatabaseOutputs, news: DatabaseInputs): Promise<pulumi.dynamic.DiffResult> {
    const replaces: string[] = [];
    if (olds.name !== news.name) replaces.push("name");
    if (olds.group !== news.group) replaces.push("group");
    return { changes: replaces.length > 0, replaces, deleteBeforeReplace: true };
  }

  async delete(_id: string, props: DatabaseOutputs): Promise<void> {
    await call("DELETE", `/databases/${props.name}`);
  }
}

export interface DatabaseArgs {
  name: pulumi.Input<string>;
  group: pulumi.Input<string>;
}

/** The baseline for our dynamic providers: a dynamic provider written the way Pulumi's documentation shows. */
export class Database extends pulumi.dynamic.Resource {
  declare readonly dbId: pulumi.Output<string>;
  declare readonly hostname: pulumi.Output<string>;

  constructor(name: string, args: DatabaseArgs, options?: pulumi.CustomResourceOptions) {
    super(new DatabaseProvider(), name, { dbId: undefined, hostname: undefined, ...args }, options);
  }
}
