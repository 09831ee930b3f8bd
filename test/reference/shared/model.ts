interface Group {
  name: string;
  organization: Home;
  deleted: boolean;
  cascade: number;
}

interface Database {
  name: string;
  group: Group;
  deleted: boolean;
  withGroup: boolean;
  returns: boolean;
}

type Home = "here" | "there";

/** The initial groups and databases. Their names are single letters. */
export const FIRST = {
  groups: { g: { deleted: false, databases: ["a", "b"] }, h: { deleted: true, databases: ["d"] } },
  /** A deleted database in the live group `g`. */
  deletedAlone: "c",
} as const;

/** Models two organizations and some of the operations in the specification. Handles one request at a time. */
export class Model {
  private readonly groups: Group[] = [];
  private readonly databases: Database[] = [];
  private tokens: { name: string; group: Group }[] = [];
  private readonly firstGroups = new Map<string, Group>();
  private readonly firstDatabases = new Map<string, Database>();

  constructor() {
    for (const [name, { deleted, databases }] of Object.entries(FIRST.groups)) {
      const group: Group = { name, organization: "here", deleted, cascade: deleted ? databases.length : 0 };
      this.groups.push(group);
      this.firstGroups.set(name, group);
      for (const each of databases) this.addFirst({ name: each, group, deleted, withGroup: deleted, returns: deleted });
    }
    const group = this.firstGroups.get("g") as Group;
    this.addFirst({ name: FIRST.deletedAlone, group, deleted: true, withGroup: false, returns: false });
  }

  private addFirst(database: Database): void {
    this.databases.push(database);
    this.firstDatabases.set(database.name, database);
  }

  private group(name: string, organization: Home = "here"): Group | undefined {
    return this.groups.find((each) => !each.deleted && each.name === name && each.organization === organization);
  }

  private database(name: string, organization: Home = "here"): Database | undefined {
    return this.databases.find(
      (each) => !each.deleted && each.name === name && each.group.organization === organization,
    );
  }

  private of(group: Group): Database[] {
    return this.databases.filter((each) => each.group === group);
  }

  createGroup(name: string): number {
    if (this.group(name)) return 409;
    this.groups.push({ name, organization: "here", deleted: false, cascade: 0 });
    return 200;
  }

  renameGroup(name: string, to: string): number {
    const group = this.group(name);
    if (!group) return 404;
    const holder = this.group(to);
    if (holder && holder !== group) return 409;
    group.name = to;
    return 200;
  }

  deleteGroup(name: string): number {
    const group = this.group(name);
    if (!group) return 404;
    const living = this.of(group).filter((each) => !each.deleted);
    for (const each of living) Object.assign(each, { deleted: true, withGroup: true, returns: true });
    Object.assign(group, { deleted: true, cascade: living.length });
    this.tokens = this.tokens.filter((token) => token.group !== group);
    return 200;
  }

  restoreGroup(letter: string): number {
    const group = this.firstGroups.get(letter);
    if (!group?.deleted || group.organization !== "here") return 404;
    if (this.group(group.name)) return 400;
    const returning = this.of(group).filter((each) => each.returns);
    this.revive(group);
    for (const each of returning.sort((one, other) => (one.name < other.name ? -1 : 1)))
      if (!this.database(each.name)) Object.assign(each, { deleted: false, withGroup: false });
    return 200;
  }

  private revive(group: Group): void {
    Object.assign(group, { deleted: false, cascade: 0 });
    for (const each of this.of(group)) each.returns = false;
  }

  transferGroup(name: string): number {
    const group = this.group(name);
    if (!group) return 404;
    const living = this.of(group).filter((each) => !each.deleted);
    if (this.group(name, "there") || living.some((each) => this.database(each.name, "there"))) return 409;
    group.organization = "there";
    this.tokens = this.tokens.filter((token) => token.group !== group);
    return 200;
  }

  createDatabase(name: string, groupName: string): number {
    const group = this.group(groupName);
    if (!group) return 400;
    if (this.database(name)) return 409;
    this.databases.push({ name, group, deleted: false, withGroup: false, returns: false });
    return 200;
  }

  deleteDatabase(name: string): number {
    const database = this.database(name);
    if (!database) return 404;
    Object.assign(database, { deleted: true, withGroup: false });
    return 200;
  }

  restoreDatabase(letter: string): number {
    const database = this.firstDatabases.get(letter);
    if (!database?.deleted || database.group.organization !== "here") return 404;
    if (this.database(database.name)) return 400;
    if (database.group.deleted) {
      if (!database.withGroup || this.group(database.group.name)) return 400;
      this.revive(database.group);
    }
    Object.assign(database, { deleted: false, withGroup: false });
    return 200;
  }

  mintToken(name: string, groupName: string): number {
    const group = this.group(groupName);
    if (!group) return 404;
    if (this.tokens.some((token) => token.name === name)) return 409;
    this.tokens.push({ name, group });
    return 200;
  }

  /** Returns the model's state as a sorted list of sentences, for comparison with a server's state. */
  world(): string[] {
    return [
      ...this.groups.map(
        ({ name, organization, deleted, cascade }) =>
          `group ${name} ${organization} ${deleted ? `deleted with ${cascade}` : "lives"}`,
      ),
      ...this.databases.map(
        ({ name, group, deleted }) =>
          `database ${name} ${group.organization} ${deleted ? "deleted" : `lives in ${group.name}`}`,
      ),
      ...this.tokens.map(({ name, group }) => `token ${name} for ${group.name}`),
    ].sort();
  }
}
