/** Matches a token that the platform issued, or the secret string that tests use. */
const SECRET = /eyJ[\w-]{8,}\.eyJ[\w-]*\.[\w-]{20,}|s3cret/;

/** Matches messages that the engine and Pulumi's SDK log at the highest verbosity. */
const OF_PULUMI = /(Unm|M)arshaling property for RPC\[|RegisterResource RPC finished/;

/** Returns the lines that contain a secret, except those that Pulumi itself logs. */
export const leaksIn = (text: string): string[] =>
  text.split("\n").filter((line) => SECRET.test(line) && !OF_PULUMI.test(line));
