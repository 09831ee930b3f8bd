interface Area {
  readonly name: string;
  readonly description: string;
  readonly covers: RegExp;
}

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
      "Groups and databases that were deleted within the last five days, and their restoration. Requires a paid plan; restoring requires an admin or owner.",
    covers: /\/deleted-groups$|\/restore$|\?deleted$/,
  },
  {
    name: "API tokens",
    description: "Credentials of this API. A token is shown only once, when it is created.",
    covers: /\/(auth|api-tokens)\b/,
  },
  { name: "Locations", description: "Locations in which groups can be created.", covers: /\/locations\b/ },
  {
    name: "Audit logs",
    description: "Records of all changes, with author and origin. Requires a paid plan.",
    covers: /\/audit-logs\b/,
  },
];

const WHOLE = {
  name: "Organizations",
  description: "Personal accounts and teams: their settings, members, invitations, plans and usage.",
};

/**
 * Returns the area of the API that an operation belongs to, which becomes its tag in the OpenAPI document.
 *
 * @param queryFlag The query parameter that distinguishes the operation from others with the same path, if any.
 */
export function areaOf(path: string, queryFlag?: string): string {
  const place = queryFlag === undefined ? path : `${path}?${queryFlag}`;
  return (AREAS.find(({ covers }) => covers.test(place)) ?? WHOLE).name;
}

export const areas = [WHOLE, ...AREAS].map(({ name, description }) => ({ name, description }));
