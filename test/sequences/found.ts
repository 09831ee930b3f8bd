import type { SequenceStep } from "./scene";

/**
 * Step sequences that once failed, by the behaviour that was wrong. Only the law is asserted of them, so no test notices
 * if their steps come to mean something else, for example because the first program has another resource.
 */
export const FOUND: Readonly<Record<string, readonly SequenceStep[]>> = {
  "configures a database that was restored under another name outside Pulumi": [
    { do: "deleteGroup", to: 6, how: 4 },
    { do: "blockWrites", to: 5, how: 4 },
    { do: "restoreDatabase", to: 6, how: 5 },
    { do: "up", to: 10, how: 3 },
    { do: "transferGroup", to: 2, how: 4 },
  ],
  "reports a database restored with its group under a name that the program has since changed": [
    { do: "deleteDatabase", to: 3, how: 1 },
    { do: "deleteGroup", to: 4, how: 5 },
    { do: "name", to: 2, how: 4 },
    { do: "deleteGroup", to: 5, how: 4 },
  ],
  "keeps a restored database when the resource that managed it before leaves the program": [
    { do: "locations", to: 4, how: 5 },
    { do: "toggle", to: 0, how: 2 },
    { do: "import", to: 9, how: 3 },
    { do: "rotateGroup", to: 6, how: 0 },
    { do: "deleteDatabase", to: 6, how: 6 },
  ],
  "names the group that already has the name wanted for another group": [
    { do: "triggers", to: 1, how: 2 },
    { do: "deleteGroup", to: 9, how: 3 },
    { do: "advance", to: 1, how: 0 },
    { do: "import", to: 5, how: 6 },
    { do: "advance", to: 7, how: 1 },
  ],
  "restores a database to its old group when the program moves it while the group is deleted": [
    { do: "group", to: 5, how: 2 },
    { do: "deleteGroup", to: 2, how: 5 },
    { do: "deleteGroup", to: 7, how: 4 },
  ],
  "previews new resources in a group that is restored with its database": [
    { do: "renameGroup", to: 1, how: 0 },
    { do: "deleteGroup", to: 10, how: 0 },
    { do: "toggle", to: 0, how: 0 },
    { do: "toggle", to: 6, how: 0 },
  ],
  "imports a group and renames a token while resources of the former group leave the program": [
    { do: "name", to: 4, how: 1 },
    { do: "import", to: 8, how: 1 },
    { do: "triggers", to: 9, how: 4 },
    { do: "toggle", to: 2, how: 6 },
  ],
  "configures a database that was restored with its group and under another name": [
    { do: "deleteGroup", to: 1, how: 0 },
    { do: "restoreDatabase", to: 0, how: 1 },
    { do: "deleteGroup", to: 1, how: 0 },
    { do: "createDatabase", to: 0, how: 1 },
  ],
  "handles a protected database that leaves the program together with its imported group": [
    { do: "toggle", to: 0, how: 0 },
    { do: "protect", to: 7, how: 0 },
    { do: "import", to: 0, how: 2 },
  ],
  "refuses a taken name in the preview, although the same run could free the name": [
    { do: "remakeDatabase", to: 3, how: 0 },
    { do: "toggle", to: 1, how: 0 },
    { do: "import", to: 4, how: 1 },
    { do: "up", to: 0, how: 0 },
  ],
  "refuses the name of a live group in the preview, although the same run could rename the group": [
    { do: "location", to: 3, how: 0 },
    { do: "remakeGroup", to: 0, how: 0 },
    { do: "import", to: 5, how: 2 },
    { do: "rotateDatabase", to: 0, how: 0 },
  ],
  "keeps a token invalid when the group that the token was restricted to is restored": [
    { do: "credential", to: 0, how: 1 },
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "restoreGroup", to: 0, how: 0 },
  ],
  "restores a group before its database although recovery is disabled": [
    { do: "deleteDatabase", to: 3, how: 0 },
    { do: "changeRecovery", to: 0, how: 0 },
    { do: "deleteGroup", to: 0, how: 0 },
  ],
  "follows databases that are deleted and recreated under the same names, before and after their group": [
    { do: "remakeDatabase", to: 1, how: 0 },
    { do: "deleteDatabase", to: 8, how: 1 },
    { do: "deleteGroup", to: 4, how: 6 },
    { do: "deleteDatabase", to: 4, how: 1 },
    { do: "deleteDatabase", to: 7, how: 1 },
    { do: "remakeDatabase", to: 7, how: 3 },
  ],
  "mints a token in a group that leaves the program in the same run": [
    { do: "transferGroup", to: 1, how: 6 },
    { do: "createGroup", to: 10, how: 5 },
    { do: "toggle", to: 1, how: 2 },
    { do: "restoreGroup", to: 7, how: 4 },
    { do: "group", to: 7, how: 3 },
  ],
  "replaces a token that names its group literally when the group is replaced under the same name": [
    { do: "group", to: 2, how: 6 },
    { do: "up", to: 0, how: 0 },
    { do: "location", to: 1, how: 0 },
  ],
  "imports a deleted, empty group whose location differs from the program": [
    { do: "toggle", to: 1, how: 0 },
    { do: "up", to: 0, how: 0 },
    { do: "import", to: 0, how: 4 },
  ],
  "imports a database in place of one that the same run restores with its group": [
    { do: "toggle", to: 3, how: 0 },
    { do: "import", to: 8, how: 1 },
    { do: "deleteGroup", to: 1, how: 0 },
  ],
  "moves a configuration, together with its database resource, to an imported database": [
    { do: "remakeDatabase", to: 0, how: 0 },
    { do: "import", to: 10, how: 1 },
    { do: "group", to: 0, how: 0 },
  ],
  "handles the creation of a database when no group is left": [
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "deleteGroup", to: 0, how: 0 },
    { do: "transferGroup", to: 0, how: 0 },
    { do: "advance", to: 0, how: 3 },
  ],
  "previews a new database under the name of one that is restored with its group": [
    { do: "name", to: 8, how: 5 },
    { do: "createDatabase", to: 0, how: 4 },
    { do: "deleteGroup", to: 4, how: 0 },
  ],
  "brings back a group that the program names by its UUID although another group has its name": [
    { do: "remakeGroup", to: 4, how: 0 },
    { do: "group", to: 6, how: 5 },
    { do: "remakeGroup", to: 1, how: 0 },
  ],
  "refuses a name that the program gives to two API tokens": [
    { do: "name", to: 11, how: 2 },
    { do: "name", to: 10, how: 5 },
  ],
  "names the group that has the name of a deleted group, not one that the program would rename": [
    { do: "renameGroup", to: 0, how: 0 },
    { do: "remakeGroup", to: 0, how: 0 },
    { do: "name", to: 0, how: 1 },
    { do: "toggle", to: 1, how: 0 },
  ],
  "deletes what a renamed declaration has replaced, although somebody had restored it under another name": [
    { do: "deleteDatabase", to: 3, how: 0 },
    { do: "remakeDatabase", to: 0, how: 0 },
    { do: "restoreDatabase", to: 0, how: 1 },
    { do: "import", to: 7, how: 1 },
  ],
};
