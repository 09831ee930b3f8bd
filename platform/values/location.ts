/** What is wrong with the code of a location, or `undefined`. Codes are opaque: which ones there are, only the platform knows. */
export const locationProblem = (code: string): string | undefined =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code)
    ? undefined
    : `"${code}" is no location code: it has lowercase letters, digits and hyphens ("aws-us-east-1", "ams")`;
