import { connect } from "../../provider/connect";
import { dbplatform } from "../../provider/provider";

/** Returns this provider with a client that waits for other times than usual. */
export const impatient = (patience: Parameters<typeof connect>[2]): typeof dbplatform => ({
  ...dbplatform,
  connect: (settings, origin) => connect(settings, origin, patience),
});
