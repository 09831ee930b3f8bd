export type { Field, Kinds } from "./field";
export { kit } from "./kit";
export { serve } from "./plugin/serve";
export type { About, Connected, Home, Provider } from "./provider";
export { isRefusal, Refusal, type RefusalKind, unlessAbsent, unlessForbidden, unlessRefused } from "./refusal";
export { Absent, Deleted, type Inputs, Live, type Observed, type Resource, type State } from "./resource";
export type { ResourceContext } from "./context";
export { packageSchema } from "./schema";
export type { ProviderSettings } from "./settings";
