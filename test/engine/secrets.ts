/** Matches a token issued by the platform, or a secret that the tests use, in plain text. */
const SECRET = /eyJ[\w-]{8,}\.eyJ[\w-]*\.[\w-]{20,}|s3cret/;

/** Matches messages that the engine and Pulumi's SDK log at the highest verbosity. */
const OF_PULUMI = /(Unm|M)arshaling property for RPC\[|RegisterResource RPC finished/;

/** Returns the lines that contain a secret. Lines that Pulumi itself logs are ignored. */
export const leaksIn = (text: string): string[] =>
  text.split("\n").filter((line) => SECRET.test(line) && !OF_PULUMI.test(line));
