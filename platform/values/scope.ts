/** What each permission of a group-scoped token allows (§5 rule 5), in the order of the specification. */
export const SCOPE_DESCRIPTIONS = {
  read: "Read everything: databases, groups, configuration, usage, instances, locations.",
  "db:create": "Create databases in the group, seed them from a dump, restore them.",
  "db:delete": "Delete databases of the group.",
  "db:configure": "Change the configuration of databases; transfer them, wake them, add and remove instances.",
  "db:mint-token": "Mint SQL-engine tokens and TLS client certificates for databases of the group.",
  "db:rotate-creds": "Rotate the signing key of a database, which ends every SQL-engine token made for it.",
  "group:configure": "Configure, rename, update and unarchive the group; add and remove locations.",
  "group:mint-token": "Mint SQL-engine tokens for the whole group.",
  "group:rotate-creds":
    "Rotate the signing key of the group, which ends every SQL-engine token of the databases in it.",
} as const;

export type Scope = keyof typeof SCOPE_DESCRIPTIONS;

export const SCOPES = Object.keys(SCOPE_DESCRIPTIONS) as readonly Scope[];

/** Names for several scopes at once (§5 rule 6); tokens always show the individual scopes. */
export const PRESETS = {
  "read-only": ["read"],
  "full-access": SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export const PRESET_DESCRIPTIONS: Readonly<Record<keyof typeof PRESETS, string>> = {
  "read-only": "The scope `read`.",
  "full-access": "Every scope there is.",
};

const isScope = (text: string): text is Scope => Object.hasOwn(SCOPE_DESCRIPTIONS, text);

/** Validates one scope or preset. Returns the problem, or `undefined`. */
export const scopeProblem = (text: string): string | undefined =>
  isScope(text) || Object.hasOwn(PRESETS, text)
    ? undefined
    : `"${text}" is neither a scope (${SCOPES.join(", ")}) nor a preset (${Object.keys(PRESETS).join(", ")})`;

/** Replaces presets by their scopes; returns each scope once, in alphabetical order, as tokens show them. */
export function expandScopes(wanted: readonly string[]): string[] {
  const scopes = wanted.flatMap((text) =>
    Object.hasOwn(PRESETS, text) ? [...PRESETS[text as keyof typeof PRESETS]] : [text],
  );
  return [...new Set(scopes)].sort();
}

export const sameScopes = (one: readonly string[], other: readonly string[]): boolean =>
  expandScopes(one).join() === expandScopes(other).join();
