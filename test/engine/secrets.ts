/** What nothing may hold in plain: any token of the platform, and what tests call a secret. */
const SECRET = /eyJ[\w-]{8,}\.eyJ[\w-]*\.[\w-]{20,}|s3cret/;

/** What the engine and Pulumi's own SDK write at the highest verbosity, of the messages that they send and receive. */
const OF_PULUMI = /(Unm|M)arshaling property for RPC\[|RegisterResource RPC finished/;

/** Lines with a secret in them that are not Pulumi's own. */
export const leaksIn = (text: string): string[] =>
  text.split("\n").filter((line) => SECRET.test(line) && !OF_PULUMI.test(line));
