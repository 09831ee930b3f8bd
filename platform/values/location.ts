/** Those that there are now, with their descriptions (wire-facts 6, 13.14). */
export const LOCATIONS: Readonly<Record<string, string>> = {
  "aws-ap-northeast-1": "AWS AP NorthEast (Tokyo)",
  "aws-ap-south-1": "AWS AP South (Mumbai)",
  "aws-eu-west-1": "AWS EU West (Ireland)",
  "aws-us-east-1": "AWS US East (Virginia)",
  "aws-us-east-2": "AWS US East (Ohio)",
  "aws-us-west-2": "AWS US West (Oregon)",
};

export const isLocation = (code: string): boolean => Object.hasOwn(LOCATIONS, code);

/** What is wrong with the code of a location, or `undefined`. Codes are opaque: which ones there are, only the platform knows. */
export const locationProblem = (code: string): string | undefined =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code)
    ? undefined
    : `"${code}" is no location code: it has lowercase letters, digits and hyphens ("aws-us-east-1", "ams")`;
