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

  constructor(name: string, { group, sizeLimit = "", leaving = false }: Terms & { group: dbplatform.Group }) {
    super("tenants:index:Tenant", name);

    // An entry that is lost in a merge must not cost a tenant's data: with `protect`, such an `up` fails and changes
    // nothing. Leaving takes two of them: `leaving: true` first, then without the entry.
    const protect = !leaving;
    const database = new dbplatform.Database(name, { group: group.id }, { parent: this, protect });

    // The same for whoever deletes without Pulumi.
    const terms = { database: database.dbId, sizeLimit, deleteProtection: protect };
    new dbplatform.DatabaseConfiguration(name, terms, { parent: this });

    this.hostname = database.hostname;
    this.registerOutputs({ hostname: this.hostname });
  }
}
