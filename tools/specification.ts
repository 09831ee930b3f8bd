import { globSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run";
import { textsOfTests } from "./written-tests";

/**
 * The sections of the specification, including the rules of §5 and the table rows that state rules. Tests refer to the
 * sections by number.
 */
const SPECIFICATION: Readonly<Record<string, string>> = {
  "1": "What the service does",
  "2.1": "Deleted database record",
  "2.2": "Database configuration",
  "2.3": "Deleted group record",
  "2.4": "Created API token",
  "2.5": "Location map",
  "2.6": "Audit log entry",
  "2.7": "Other resources",
  "3": "States and transitions",
  "3 row 1": "A deleted database is restored",
  "3 row 2": "A deleted database is not restorable any more",
  "3 row 3": "A deleted group is listed",
  "3 row 4": "Tokens of a deleted group are revoked",
  "3 row 5": "Tokens of a transferred group are revoked",
  "3 row 6": "A token is revoked by ID",
  "4": "Endpoints",
  "4.1": "Restore database",
  "4.2": "Create API token",
  "4.3": "Update database configuration",
  "4.4": "List deleted groups",
  "4.5": "List locations",
  "4.6": "List audit logs",
  "4.7": "Create group",
  "4.8": "Create database",
  "4.9": "Organization token management",
  "4.10": "Referenced operations",
  "5": "Authentication",
  "5 rule 1": "Every protected request carries the Bearer header",
  "5 rule 2": "Tokens are created by the endpoint, and shown once",
  "5 rule 3": "Restriction levels",
  "5 rule 4": "Group-scoped tokens are minted by admins and owners",
  "5 rule 5": "Scopes",
  "5 rule 6": "Presets",
  "5 rule 7": "What no group-scoped token reaches",
  "5 rule 8": "Who restores, and who lists deleted groups",
  "5 rule 9": "Whose tokens are seen and revoked",
  "5 rule 10": "Token lifecycle",
  "6": "Events",
  "7": "Errors",
  "7 row 1": "400",
  "7 row 2": "403",
  "7 row 3": "404",
  "8": "Limits",
  "8 row 1": "Recovery window",
  "8 row 2": "Page size",
  "8 row 3": "Page size default",
  "8 row 4": "Page default",
  "8 row 5": "Plan",
  "8 row 6": "Database size",
  "9": "Versioning",
};

const UNPROVABLE: Readonly<Record<string, string>> = {
  "6": "The section says only that events are not shown.",
};

/**
 * Returns sections of the specification that no test name mentions, and references in test names to sections that do
 * not exist.
 */
export function unprovenSections(): string[] {
  const marks = globSync("{platform,test}/**/*.test.ts", { cwd: root }).flatMap((file) => {
    const texts = textsOfTests(join(root, file)).flat();
    return [...new Set(texts)].flatMap((text) => marksIn(text).map((mark) => ({ mark, file })));
  });
  const proven = new Set(marks.map(({ mark }) => mark));
  const unproven = Object.entries(SPECIFICATION).filter(([section]) => !proven.has(section) && !UNPROVABLE[section]);
  const unknown = marks.filter(({ mark }) => !(mark in SPECIFICATION) || mark in UNPROVABLE);
  return [
    ...unproven.map(([section, title]) => `§${section} (${title}) has no test`),
    ...unknown.map(({ mark, file }) => `§${mark} in ${file} is no section that a test could prove`),
  ];
}

const marksIn = (name: string): string[] =>
  [...name.matchAll(/§(\d+(?:\.\d+)*(?: (?:rule|row) \d+)?|\S*)/g)].map(([, mark = ""]) => mark);
