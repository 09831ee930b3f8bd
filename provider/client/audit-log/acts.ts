import type { Api } from "../../../platform/contract/api";
import { CONFIGURATION_FIELDS } from "../../../platform/contract/configuration-fields";
import type { Result } from "../../../platform/contract/endpoint";

export type AuditLogPage = Result<Api["listAuditLogs"]>;

type Entry = AuditLogPage["audit_logs"][number];
type Data = Entry["data"];

/** The effect of an audit-log entry on an object. A field is absent if the entry does not contain it. */
export interface Act {
  readonly kind: "database" | "group" | "token";
  readonly did:
    | "created"
    | "deleted"
    | "restored"
    | "renamed"
    | "set"
    /** Moved to another organization, or deleted or restored together with its group. */
    | "moved"
    /** The code of the entry is unknown, so the logged action may be any of the above. */
    | "unknown";
  readonly id?: string | undefined;
  /** Name of the object after the logged action. */
  readonly name?: string | undefined;
  /** Settings that the logged action changed, with their new values. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly author: string;
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

type Done = Omit<Act, "author" | "origin" | "at">;

/** Returns the name of the setting that says whether a group includes a location. */
export const locationSetting = (code: string): string => `location ${code}`;

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const toDatabase =
  (did: Act["did"], settings?: (data: Data) => Act["settings"]) =>
  (data: Data): Done => ({
    kind: "database",
    did,
    id: asText(data.id),
    name: asText(data.database),
    settings: settings?.(data),
  });

const toGroup =
  (did: Act["did"], settings?: (data: Data) => Act["settings"]) =>
  (data: Data): Done => ({
    kind: "group",
    did,
    id: asText(data.uuid),
    name: asText(data.group),
    settings: settings?.(data),
  });

const movesDatabases = (): Done => ({ kind: "database", did: "moved" });

const protectionSetting = (value: boolean) => () => ({ delete_protection: value });

function configurationSettings(data: Data): Act["settings"] {
  const changed = CONFIGURATION_FIELDS.filter((field) => field in data).map((field) => [field, data[field]]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

const locationChange =
  (value: boolean) =>
  ({ location }: Data): Act["settings"] =>
    typeof location === "string" ? { [locationSetting(location)]: value } : undefined;

const ACTS: Readonly<Record<string, readonly ((data: Data) => Done)[]>> = {
  "db-create": [toDatabase("created")],
  "db-delete": [toDatabase("deleted")],
  // A group that was deleted with the database is restored with it, and gets no separate audit-log entry (§3).
  "db-restore": [toDatabase("restored"), ({ group }) => ({ kind: "group", did: "restored", name: asText(group) })],
  "db-transfer": [toDatabase("moved")],
  "db-configure": [toDatabase("set", configurationSettings)],
  "db-protect": [toDatabase("set", protectionSetting(true))],
  "db-unprotect": [toDatabase("set", protectionSetting(false))],
  "group-create": [toGroup("created")],
  "group-delete": [toGroup("deleted"), movesDatabases],
  "group-restore": [toGroup("restored"), movesDatabases],
  "group-transfer": [toGroup("moved"), movesDatabases],
  "group-rename": [
    ({ name }) => ({
      kind: "group",
      did: "renamed",
      name: asText(name),
      settings: asText(name) ? { name } : undefined,
    }),
  ],
  "group-protect": [toGroup("set", protectionSetting(true))],
  "group-unprotect": [toGroup("set", protectionSetting(false))],
  "group-location-add": [toGroup("set", locationChange(true))],
  "group-location-rm": [toGroup("set", locationChange(false))],
  "user-token-create": [({ id, name }) => ({ kind: "token", did: "created", id: asText(id), name: asText(name) })],
};

/**
 * Codes of audit-log entries for operations that do not create, delete, restore, rename, move or configure a database
 * or group.
 */
const HARMLESS =
  /^(user-|org-|mfa-|instance-|(db|group)-token-|db-(aunrchive|dump-upload|seed|update)$|group-(unarchive|update)$)/;

const UNKNOWN: readonly Done[] = [
  { kind: "database", did: "unknown" },
  { kind: "group", did: "unknown" },
];

/** Returns the effects of an audit-log entry. One entry can affect both a group and its databases. */
export function actsOf({ code, author, origin, created_at, data }: Entry): Act[] {
  const known = Object.hasOwn(ACTS, code) ? ACTS[code] : undefined;
  if (!known && HARMLESS.test(code)) return [];
  const done = known?.map((act) => act(data)) ?? UNKNOWN;
  return done.map((act) => ({ ...act, author, origin, at: Date.parse(created_at) }));
}

/** An object whose actions are looked for in the audit log. */
export interface AuditSubject {
  readonly kind: Act["kind"];
  readonly id: string;
  /** The object's current name, or its name when it was deleted. */
  readonly name: string;
}

/**
 * Returns whether a logged action concerns the subject, or `undefined` if the audit-log entry does not say which object
 * the action concerns.
 */
export function isAbout({ id, name }: Act, subject: AuditSubject): boolean | undefined {
  if (id !== undefined) return id === subject.id;
  return name === undefined ? undefined : name === subject.name;
}

/** Returns whether the logged action may have given the subject's name to an object, or taken it away. */
export const bindsName = ({ did, id, name }: Act, subject: AuditSubject): boolean =>
  did !== "set" && (name === undefined || name === subject.name || id === subject.id);
