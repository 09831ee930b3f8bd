import type { Played } from "../../kit/laws/engine-run";
import { resources } from "../../provider/resources/list";

/** This provider, as the fake engine plays it. */
export const dbplatform: Played = { name: "dbplatform", resources };
