/**
 * Reads a field of a request or response.
 *
 * @param path Field names separated by dots, for example `body.name`.
 */
export const fieldOf = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
