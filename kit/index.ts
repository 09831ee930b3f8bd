export type { ResourceContext } from "./context";
export type { Resource } from "./definition";
export type {
  CreateOnly,
  Field,
  Keepers,
  Kept,
  Kinds,
  Local,
  Output,
  Replaces,
  ShownOnce,
  Trigger,
  Upheld,
  WhileDeleted,
  WriteOnly,
  WriteOnlyReplaces,
} from "./field";
export { kit } from "./kit";
export { serve } from "./plugin/serve";
export type { About, Connected, Home, Provider } from "./provider";
export { isRefusal, Refusal, type RefusalKind, unlessAbsent, unlessForbidden, unlessRefused } from "./refusal";
export {
  Absent,
  type Changes,
  type Created,
  Deleted,
  type DeletionTimes,
  type Inputs,
  Live,
  type Observed,
  type State,
  type UpdateContext,
} from "./resource";
export { packageSchema } from "./schema";
export type { ProviderSettings } from "./settings";
