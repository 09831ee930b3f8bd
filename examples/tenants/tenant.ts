import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

/** The settings of one tenant in the stack's configuration. */
export interface Terms {
  /** For example "256mb" or "1gb". If omitted, there is no limit. */
  sizeLimit?: string;
  /** Whether the tenant may be removed from the configuration. */
  leaving?: boolean;
}

/** The resources of one tenant. */
export class Tenant extends pulumi.ComponentResource {
  readonly hostname: pulumi.Output<string>;
  /** Secret. */
  readonly token: pulumi.Output<string>;

  constructor(name: string, { group, sizeLimit = "", leaving = false }: Terms & { group: dbplatform.Group }) {
    super("tenants:index:Tenant", name);

    // If a merge drops a tenant's entry by mistake, `protect` makes `pulumi up` fail, so that no data is lost. Removing
    // a tenant therefore takes two updates: first set `leaving: true`, then remove the entry.
    const protect = !leaving;
    const database = new dbplatform.Database(name, { group: group.id }, { parent: this, protect });

    // `deleteProtection` also prevents deletions outside Pulumi.
    const terms = { database: database.dbId, sizeLimit, deleteProtection: protect };
    new dbplatform.DatabaseConfiguration(name, terms, { parent: this });

    // A new tenant begins with all tables. A new file in the folder is applied to every tenant.
    const schema = { database: database.dbId, folder: "migrations" };
    new dbplatform.DatabaseMigrations(name, schema, { parent: this });

    // The tenant's application connects with this token. In the last two weeks before its expiry, `pulumi up` issues a
    // new one.
    const validity = { expiration: "90d", renewBefore: "14d" };
    const token = new dbplatform.DatabaseToken(name, { database: database.dbId, ...validity }, { parent: this });

    this.hostname = database.hostname;
    this.token = token.token;
    this.registerOutputs({ hostname: this.hostname, token: this.token });
  }
}
