import * as pulumi from "@pulumi/pulumi";
import * as dbplatform from "pulumi-dbplatform";

/** An entry of the list. */
export interface Terms {
  /** "256mb", "1gb". Left out: no limit. */
  sizeLimit?: string;
  /** Whether the tenant may be taken off the list. */
  leaving?: boolean;
}

/** What belongs to one tenant. */
export class Tenant extends pulumi.ComponentResource {
  readonly hostname: pulumi.Output<string>;
  /** Secret. */
  readonly token: pulumi.Output<string>;

  constructor(name: string, { group, sizeLimit = "", leaving = false }: Terms & { group: dbplatform.Group }) {
    super("tenants:index:Tenant", name);

    // An entry that is lost in a merge must not cost a tenant's data: with `protect`, such an `up` fails and changes
    // nothing. Leaving takes two of them: `leaving: true` first, then without the entry.
    const protect = !leaving;
    const database = new dbplatform.Database(name, { group: group.id }, { parent: this, protect });

    // The same for whoever deletes without Pulumi.
    const terms = { database: database.dbId, sizeLimit, deleteProtection: protect };
    new dbplatform.DatabaseConfiguration(name, terms, { parent: this });

    // What the tenant's application connects with. The first `up` in its last two weeks issues the next one.
    const validity = { expiration: "90d", renewBefore: "14d" };
    const token = new dbplatform.DatabaseToken(name, { database: database.dbId, ...validity }, { parent: this });

    this.hostname = database.hostname;
    this.token = token.token;
    this.registerOutputs({ hostname: this.hostname, token: this.token });
  }
}
