/**
 * Reads a field of a request or a response.
 *
 * @param path Names separated by dots, such as `body.name`.
 */
export const fieldOf = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
