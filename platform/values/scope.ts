/** The permissions of a group-scoped token (§5 rule 5), in the order of the specification. */
export const SCOPES = [
  "read",
  "db:create",
  "db:delete",
  "db:configure",
  "db:mint-token",
  "db:rotate-creds",
  "group:configure",
  "group:mint-token",
  "group:rotate-creds",
] as const;

export type Scope = (typeof SCOPES)[number];

/** Names for several scopes at once (§5 rule 6); tokens always show the individual scopes. */
export const PRESETS = {
  "read-only": ["read"],
  "full-access": SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);

/** What is wrong with one scope or preset, or `undefined`. */
export const scopeProblem = (text: string): string | undefined =>
  isScope(text) || Object.hasOwn(PRESETS, text)
    ? undefined
    : `"${text}" is neither a scope (${SCOPES.join(", ")}) nor a preset (${Object.keys(PRESETS).join(", ")})`;

/** Presets replaced by their scopes, each once, in alphabetical order, as tokens show them. */
export function expandScopes(wanted: readonly string[]): string[] {
  const scopes = wanted.flatMap((text) =>
    Object.hasOwn(PRESETS, text) ? [...PRESETS[text as keyof typeof PRESETS]] : [text],
  );
  return [...new Set(scopes)].sort();
}

export const sameScopes = (one: readonly string[], other: readonly string[]): boolean =>
  expandScopes(one).join() === expandScopes(other).join();
