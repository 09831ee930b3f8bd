export type { ResourceContext } from "./context";
export type { Resource } from "./definition";
export {
  type CreateOnly,
  type Field,
  type Keepers,
  type Kept,
  type Kinds,
  type Local,
  type Output,
  type Replaces,
  type ShownOnce,
  type Trigger,
  type Upheld,
  type Vocabulary,
  type WhileDeleted,
  type WriteOnly,
  type WriteOnlyReplaces,
  word,
} from "./field";
export type { AnyFunction, PlatformFunction } from "./function";
export { kit } from "./kit";
export type { Call } from "./lifecycle/call";
export { serve } from "./plugin/serve";
export type { Permissions, PreflightFailure, Refused } from "./preflight";
export type { About, Connected, Home, Provider, ProviderSettings } from "./provider";
export {
  isRefusal,
  Refusal,
  type RefusalDetails,
  type RefusalKind,
  unlessAbsent,
  unlessForbidden,
  unlessRefused,
} from "./refusal";
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
export type { Ids, Listed, Made, Restorable } from "./results";
export { packageSchema } from "./schema";
export type { Problem } from "./traits";
