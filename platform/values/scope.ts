import { invalidScope } from "./messages";

/** The scopes of group-scoped tokens and what each scope allows (§5 rule 5), in the order of the specification. */
export const SCOPE_DESCRIPTIONS = {
  read: "Read databases, groups, configuration, usage, instances and locations.",
  "db:create": "Create databases in the group, seed them from a dump, and restore them.",
  "db:delete": "Delete databases in the group.",
  "db:configure": "Change the configuration of databases, transfer and wake them, and add and remove instances.",
  "db:mint-token": "Issue SQL-engine tokens and TLS client certificates for databases in the group.",
  "db:rotate-creds": "Rotate the signing key of a database, which invalidates every SQL-engine token issued for it.",
  "group:configure": "Configure, rename, update and unarchive the group, and add and remove locations.",
  "group:mint-token": "Issue SQL-engine tokens for the whole group.",
  "group:rotate-creds":
    "Rotate the signing key of the group, which invalidates every SQL-engine token issued for databases in it.",
} as const;

export type Scope = keyof typeof SCOPE_DESCRIPTIONS;

export const SCOPES = Object.keys(SCOPE_DESCRIPTIONS) as readonly Scope[];

/** Names that stand for several scopes (§5 rule 6). Tokens always contain the individual scopes. */
export const PRESETS = {
  "read-only": ["read"],
  "full-access": SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export const PRESET_DESCRIPTIONS: Readonly<Record<keyof typeof PRESETS, string>> = {
  "read-only": "The scope `read`.",
  "full-access": "All scopes.",
};

const isScope = (text: string): text is Scope => Object.hasOwn(SCOPE_DESCRIPTIONS, text);

/** Validates a scope or preset. Returns the problem, or `undefined` if there is none. */
export const scopeProblem = (text: string): string | undefined =>
  isScope(text) || Object.hasOwn(PRESETS, text)
    ? undefined
    : invalidScope({ text, scopes: SCOPES, presets: Object.keys(PRESETS) });

/** Replaces presets with their scopes. Returns each scope once, in the alphabetical order that tokens use. */
export function expandScopes(wanted: readonly string[]): string[] {
  const scopes = wanted.flatMap((text) =>
    Object.hasOwn(PRESETS, text) ? [...PRESETS[text as keyof typeof PRESETS]] : [text],
  );
  return [...new Set(scopes)].sort();
}

export const sameScopes = (one: readonly string[], other: readonly string[]): boolean =>
  expandScopes(one).join() === expandScopes(other).join();
