interface Area {
  readonly name: string;
  readonly description: string;
  readonly covers: RegExp;
}

/** Areas in reading order. */
const AREAS: readonly Area[] = [
  {
    name: "Groups",
    description: "A group exists in one or more locations, and every database belongs to one.",
    covers: /\/groups\b(?!.*\/restore$)/,
  },
  {
    name: "Databases",
    description: "Databases: their configuration, usage, instances and SQL-engine tokens.",
    covers: /\/(databases|dumps)\b(?!.*(\/restore|\?deleted)$)/,
  },
  {
    name: "Recovery",
    description:
      "What was deleted within the last five days, and its return. Needs a paid plan; restoring needs an admin or owner.",
    covers: /\/deleted-groups$|\/restore$|\?deleted$/,
  },
  {
    name: "API tokens",
    description: "Credentials of this API. Their texts are shown once, when they are made.",
    covers: /\/(auth|api-tokens)\b/,
  },
  { name: "Locations", description: "Where groups can be.", covers: /\/locations\b/ },
  {
    name: "Audit logs",
    description: "What was changed, by whom and from where. Needs a paid plan.",
    covers: /\/audit-logs\b/,
  },
];

/** The area of operations that no other area covers. */
const WHOLE = {
  name: "Organizations",
  description: "Personal accounts and teams: their settings, members, invitations, plans and usage.",
};

/** Returns the area of an operation, by its path and the query parameter that distinguishes it. */
export function areaOf(path: string, queryFlag?: string): string {
  const place = queryFlag === undefined ? path : `${path}?${queryFlag}`;
  return (AREAS.find(({ covers }) => covers.test(place)) ?? WHOLE).name;
}

export const areas = [WHOLE, ...AREAS].map(({ name, description }) => ({ name, description }));
