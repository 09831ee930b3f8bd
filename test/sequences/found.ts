import type { Step } from "./scene";

/** Sequences of steps that once broke a promise, by that promise. */
export const FOUND: Readonly<Record<string, readonly Step[]>> = {
  "what configures a database finds it though it was restored outside under another name": [
    { do: "deleteGroup", to: 6, how: 4 },
    { do: "blockWrites", to: 5, how: 4 },
    { do: "restoreDatabase", to: 6, how: 5 },
    { do: "up", to: 10, how: 3 },
    { do: "transferGroup", to: 2, how: 4 },
  ],
  "a database that came back with its group is not kept silently under a name that the program has changed": [
    { do: "deleteDatabase", to: 3, how: 1 },
    { do: "deleteGroup", to: 4, how: 5 },
    { do: "name", to: 2, how: 4 },
    { do: "deleteGroup", to: 5, how: 4 },
  ],
  "a restored database is not deleted again because another resource, which had it before, leaves the program": [
    { do: "locations", to: 4, how: 5 },
    { do: "toggle", to: 0, how: 2 },
    { do: "import", to: 9, how: 3 },
    { do: "rotateGroup", to: 6, how: 0 },
    { do: "deleteDatabase", to: 6, how: 6 },
  ],
  "who has the name that a group shall get is told": [
    { do: "triggers", to: 1, how: 2 },
    { do: "deleteGroup", to: 9, how: 3 },
    { do: "advance", to: 1, how: 0 },
    { do: "import", to: 5, how: 6 },
    { do: "advance", to: 7, how: 1 },
  ],
  "a database that the program moves while its group is deleted is brought back where it was": [
    { do: "group", to: 5, how: 2 },
    { do: "deleteGroup", to: 2, how: 5 },
    { do: "deleteGroup", to: 7, how: 4 },
  ],
  "a preview knows that a group comes back with its database, and refuses nothing that goes into it": [
    { do: "renameGroup", to: 1, how: 0 },
    { do: "deleteGroup", to: 10, how: 0 },
    { do: "toggle", to: 0, how: 0 },
    { do: "toggle", to: 6, how: 0 },
  ],
  "a group is imported, a token renamed, and what stood in the group of before leaves the program": [
    { do: "name", to: 4, how: 1 },
    { do: "import", to: 8, how: 1 },
    { do: "triggers", to: 9, how: 4 },
    { do: "toggle", to: 2, how: 6 },
  ],
  "a database that came back with its group under another name is configured under that one": [
    { do: "deleteGroup", to: 1, how: 0 },
    { do: "restoreDatabase", to: 0, how: 1 },
    { do: "deleteGroup", to: 1, how: 0 },
    { do: "createDatabase", to: 0, how: 1 },
  ],
  "a protected database leaves the program, and so does the imported group that holds it": [
    { do: "toggle", to: 0, how: 0 },
    { do: "protect", to: 7, how: 0 },
    { do: "import", to: 0, how: 2 },
  ],
  "a preview refuses a name that is taken, though the run could begin with what frees it": [
    { do: "remakeDatabase", to: 3, how: 0 },
    { do: "toggle", to: 1, how: 0 },
    { do: "import", to: 4, how: 1 },
    { do: "up", to: 0, how: 0 },
  ],
  "a preview refuses a name that a live group has, though the run could begin with giving that one another": [
    { do: "location", to: 3, how: 0 },
    { do: "remakeGroup", to: 0, how: 0 },
    { do: "import", to: 5, how: 2 },
    { do: "rotateDatabase", to: 0, how: 0 },
  ],
  "a token that was pinned to a group stays dead, though the group comes back": [
    { do: "credential", to: 0, how: 1 },
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "restoreGroup", to: 0, how: 0 },
  ],
  "a group that has to come back before its database comes back though recovery is disabled": [
    { do: "deleteDatabase", to: 3, how: 0 },
    { do: "changeRecovery", to: 0, how: 0 },
    { do: "deleteGroup", to: 0, how: 0 },
  ],
  "databases are deleted and made anew under their names, before and after their group": [
    { do: "remakeDatabase", to: 1, how: 0 },
    { do: "deleteDatabase", to: 8, how: 1 },
    { do: "deleteGroup", to: 4, how: 6 },
    { do: "deleteDatabase", to: 4, how: 1 },
    { do: "deleteDatabase", to: 7, how: 1 },
    { do: "remakeDatabase", to: 7, how: 3 },
  ],
  "a token is minted in a group that leaves the program in the same run": [
    { do: "transferGroup", to: 1, how: 6 },
    { do: "createGroup", to: 10, how: 5 },
    { do: "toggle", to: 1, how: 2 },
    { do: "restoreGroup", to: 7, how: 4 },
    { do: "group", to: 7, how: 3 },
  ],
  "a token names a group by its name, and the group is replaced under that name": [
    { do: "group", to: 2, how: 6 },
    { do: "up", to: 0, how: 0 },
    { do: "location", to: 1, how: 0 },
  ],
  "a deleted group without databases is imported with another location than it had": [
    { do: "toggle", to: 1, how: 0 },
    { do: "up", to: 0, how: 0 },
    { do: "import", to: 0, how: 4 },
  ],
  "a database is imported over one that comes back with its group in the same run": [
    { do: "toggle", to: 3, how: 0 },
    { do: "import", to: 8, how: 1 },
    { do: "deleteGroup", to: 1, how: 0 },
  ],
  "a configuration follows its resource to an imported database": [
    { do: "remakeDatabase", to: 0, how: 0 },
    { do: "import", to: 10, how: 1 },
    { do: "group", to: 0, how: 0 },
  ],
  "a database is to be created when no group is left": [
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "transferGroup", to: 0, how: 0 },
    { do: "advance", to: 0, how: 3 },
  ],
};
