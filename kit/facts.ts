import type { ShownDifference } from "./lifecycle/properties";
import type { Problem } from "./traits";

/** The facts that a message of the kit needs, and those that may be absent. A message is a function of one object of facts. */
export type Facts<Name extends keyof KitFacts, Optional extends keyof KitFacts = never> = Pick<KitFacts, Name> &
  Partial<Pick<KitFacts, Optional>>;

/** All facts in messages of the kit. `npm run messages` has an example of each. */
export interface KitFacts {
  readonly address: string;
  /** A further instruction to the user. */
  readonly advice: string;
  /** The age of a change, for example `3 hours ago`. */
  readonly ago: string;
  readonly allowed: readonly unknown[];
  readonly argument: string;
  /** An action that the credential does not allow, for example `cannot restore note "shopping"`. */
  readonly attempt: string;
  /** The author of a change, for example `ada with the CLI`. */
  readonly author: string;
  readonly before: string;
  /** Ends a sentence and says what is restored with the object, for example `with its data`. */
  readonly brings: string;
  readonly bytes: number;
  /** Properties that somebody changed: `is` is the earlier value, `wanted` the present one. */
  readonly changes: readonly ShownDifference[];
  /** A complete message about a failed request. */
  readonly cause: string;
  /** The deleted object that contains another one. `message` consists of complete sentences about the deletion. */
  readonly container: { readonly kind: string; readonly id: string; readonly message: string };
  readonly deleted: DeletedObject;
  /** RFC 3339 */
  readonly deletedAt: string;
  /** Complete sentences about when an object was deleted and until when it can be restored. */
  readonly deletion: string;
  readonly difference: ShownDifference;
  /** RFC 3339 */
  readonly end: string;
  readonly firstProperty: string;
  readonly form: Form;
  /** Logical name of the resource that had set the settings. */
  readonly from: string;
  readonly functionName: string;
  readonly given: string;
  readonly header: string;
  readonly id: string;
  readonly imported: unknown;
  readonly importedId: string;
  readonly importedIds: readonly string[];
  /** An object in a container that the program still declares. */
  readonly inside: string;
  /** Whether the program is known to declare the object. */
  readonly isDeclared: boolean;
  /** Whether the cause is a mistake in the provider, and no answer of the platform. */
  readonly isDefect: boolean;
  readonly isGenerated: boolean;
  /** Whether no further warning with this reason follows in the run. */
  readonly isLast: boolean;
  /** Whether this is a preview, so that the program can still be changed. */
  readonly isPlanned: boolean;
  /** Whether the engine has read the object, so that no interrupted replacement has deleted it. */
  readonly isRead: boolean;
  /** Whether some of the settings may be those of the last update. */
  readonly isRecorded: boolean;
  /** Whether this resource manages the restored object and would be replaced. */
  readonly isReplaced: boolean;
  /** Whether the resource already manages another object. If so, nothing can be imported into the resource. */
  readonly isReplacing: boolean;
  readonly isRestorable: boolean;
  /** Whether the new object has data, but not those of the old one. */
  readonly isSeeded: boolean;
  /** Whether the next update undoes the change. */
  readonly isSetBack: boolean;
  /** Whether the last update already gave the resource this value. */
  readonly isUnchanged: boolean;
  /** Whether the engine has read the whole stack, so that the stack is known not to manage the object. */
  readonly isStackRead: boolean;
  /** Whether a read after the failed request found the object deleted. `false` if that read failed. */
  readonly isStillDeleted: boolean;
  /** The type of an object as a noun, for example `API token`. */
  readonly kind: string;
  readonly known: readonly string[];
  /** Complete sentences about settings that stay in force, and what to write. */
  readonly left: readonly string[];
  readonly longest: number;
  /** The live object that the resource already manages. */
  readonly managed: { readonly title: string; readonly id: string };
  readonly missing: readonly MissingSetting[];
  readonly mostBytes: number;
  /** The container of an object, and the ids of the one that it is in and of the one that the program refers to. */
  readonly moved: { readonly kind: string; readonly from: string; readonly to: string };
  readonly name: string;
  /** Says that the name of an object now belongs to another one, as a complete sentence. */
  readonly nameOfAnother: string;
  /** The object's title, or a description such as `this API token`. */
  readonly object: string;
  /** The reason why nothing can be restored at present, as a clause. */
  readonly obstacle: string;
  /** The owner that has only one object of a type, for example `an account`. */
  readonly only: string;
  readonly operation: "create" | "update" | "replace" | "restore";
  /** Id of the object that had the name. */
  readonly own: string;
  /** The resource, function or list as it appears in the message. */
  readonly owner: string;
  readonly path: string;
  readonly problems: readonly Problem[];
  readonly properties: readonly string[];
  readonly property: string;
  /** Name of the provider, the prefix of its settings. */
  readonly provider: string;
  /** A clause. */
  readonly reason: string;
  readonly reasons: readonly string[];
  /** An object to which the program refers, with its current name. */
  readonly referred: { readonly kind: string; readonly id: string; readonly name: string };
  readonly remaining: readonly RemainingSetting[];
  /** The way in which the program can restore a deleted object. */
  readonly remedy:
    | "stopReplacing"
    | "undoChange"
    | "importHere"
    | "importElsewhere"
    | "renameFirst"
    | { readonly alias: string };
  readonly replaced: ReplacedObject;
  /** A text from `canBeRestoredUntil`. */
  readonly restorable: string;
  /** RFC 3339 */
  readonly restorableUntil: string;
  /** Names of outputs that only the response to the creation contains. */
  readonly secrets: readonly string[];
  readonly settings: readonly string[];
  readonly shortest: number;
  /** The object whose settings stay in force, for example its type and id. */
  readonly subject: string;
  /** The object as it appears within a sentence, for example `API token "ci"` or `this API token`. */
  readonly thing: string;
  /** The type and name of an object (`API token "ci"`), or only the type if the object has no name. */
  readonly title: string;
  /** The step that allows something, as an imperative clause. */
  readonly toAllow: string;
  /** Logical name of the resource that manages the object now. */
  readonly to: string;
  readonly token: string;
  readonly tokens: readonly string[];
  readonly type: string;
  readonly types: readonly string[];
  readonly unknown: readonly string[];
  /** Says which settings are never recorded, as a complete sentence without a full stop. */
  readonly unrecorded: string;
  /** URN of another resource. */
  readonly urn: string;
  /** The environment variable that supplies a setting. */
  readonly variable: string;
  readonly version: number;
  readonly wanted: unknown;
  /** Type and name of another object that is restored together with this one. */
  readonly withTitle: string;
  /** The scope in which names are unique, for example `account`. */
  readonly within: string;
}

interface DeletedObject {
  readonly id: string;
  readonly deletedAt: string;
  readonly restorable?: string;
  /** Whether the new object has data, but not those of the deleted one. */
  readonly isSeeded?: boolean;
}

interface ReplacedObject {
  readonly title: string;
  readonly id: string;
  readonly isRestorable: boolean;
  /** Names of the outputs that the platform shows only at creation. */
  readonly secrets: readonly string[];
}

/** Describes the type that an argument must have, and how a program writes a value of that type. */
export interface Form {
  readonly name: string;
  readonly written: string;
}

export interface MissingSetting {
  readonly name: string;
  readonly isSecret: boolean;
  /** The environment variable that supplies the setting; `undefined` if no variable does. */
  readonly variable: string | undefined;
  /** The value that most users set; `undefined` if it differs from user to user. */
  readonly usual?: string | undefined;
}

export interface RemainingSetting {
  readonly property: string;
  readonly is: unknown;
  /** The platform's default, or `undefined` if there is none. */
  readonly byDefault: unknown;
}
