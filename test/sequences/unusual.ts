import {
  deletionBesideImport,
  nothingDeleted,
  replacementByImport,
  replacementLacksAccess,
} from "../../kit/lifecycle/messages";
import { KEPT_DATA_DELETED_FIRST, writesBlockedAlready } from "../../provider/resources/database/messages";
import type { Declared } from "../fake-engine/declared-program";
import { ALL } from "./declarations";
import type { SequenceOptions } from "./recording";
import type { SequenceStep } from "./scene";

const COPY = { database: { of: "orders", output: "dbId" } };

interface UnusualSequence extends SequenceOptions {
  readonly taken: readonly SequenceStep[];
  /** A part of the refusal that has nothing of the sequence but ids. */
  readonly refusal: string;
}

/** Stands for every id in a refusal. */
export const ID = "<id>";

/** Sequences that reach refusals which random sequences do not reach, by the name of the refusal's message. */
export const UNUSUAL: Readonly<Record<string, UnusualSequence>> = {
  deletionBesideImport: {
    refusal: deletionBesideImport({ id: ID, importedIds: [ID] }).answer,
    taken: [
      { do: "toggle", to: 2, how: 0 },
      { do: "up", to: 0, how: 0 },
      { do: "createDatabase", to: 1, how: 0 },
      { do: "toggle", to: 2, how: 0 },
      { do: "import", to: 2, how: 1 },
      { do: "toggle", to: 3, how: 0 },
      { do: "up", to: 0, how: 0 },
    ],
  },
  replacementByImport: {
    refusal: replacementByImport({ kind: "database", moved: { kind: "group", from: ID, to: ID }, property: "group" })
      .answer,
    settings: { driftDetection: "on-refresh" },
    taken: [
      { do: "createGroup", to: 0, how: 0 },
      { do: "import", to: 0, how: 1 },
      { do: "up", to: 0, how: 0 },
    ],
  },
  KEPT_DATA_DELETED_FIRST: {
    refusal: KEPT_DATA_DELETED_FIRST,
    taken: [
      { do: "group", to: 6, how: 0 },
      { do: "keepData", to: 3, how: 3 },
      { do: "import", to: 0, how: 0 },
    ],
  },
  writesBlockedAlready: {
    refusal: String(writesBlockedAlready({ name: "", id: ID }).split('"')[2]),
    taken: [
      { do: "keepData", to: 0, how: 3 },
      { do: "location", to: 0, how: 1 },
    ],
  },
  replacementLacksAccess: {
    refusal: replacementLacksAccess({ object: "", reason: "" }).advice,
    program: new Map([...ALL].filter(([slot]) => slot === "users")),
    taken: [
      { do: "credential", to: 0, how: 2 },
      { do: "name", to: 0, how: 1 },
      { do: "up", to: 0, how: 0 },
    ],
  },
  nothingDeleted: {
    refusal: nothingDeleted({ kind: "database" }),
    program: new Map<string, Declared>([
      ["north", { type: "Group", args: { location: "aws-us-east-1" } }],
      ["orders", { type: "Database", args: { name: "orders", group: "default" } }],
      ["users", { type: "Database", args: { name: "users", group: "default", seed: COPY } }],
    ]),
    taken: [
      { do: "group", to: 1, how: 0 },
      { do: "up", to: 0, how: 0 },
    ],
    // Deletes the source of the copy after Diff has found it, and before the old database is deleted.
    meanwhile: async (response, { outside, deletedMeanwhile }) => {
      if (deletedMeanwhile.size > 0 || !/^diff users .*"replaces":true/.test(response)) return;
      const source = { organizationSlug: "acme", databaseName: "orders" };
      deletedMeanwhile.add((await outside.retrieveDatabase(source)).database.DbId);
      await outside.deleteDatabase(source);
    },
  },
};
