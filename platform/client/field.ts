/**
 * Reads a field of a request or an answer.
 *
 * @param path Names with dots between them, such as `body.name`.
 */
export const fieldOf = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
