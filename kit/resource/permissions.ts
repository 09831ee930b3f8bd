import { api, type Operation } from "../../platform/contract/api";
import type { Access } from "../../platform/contract/endpoint";
import type { Scope } from "../../platform/values/scope";

/** A lifecycle step that can change an object on the platform. */
export type Step = "create" | "update" | "delete" | "restore";

/**
 * An operation of the platform that creating, changing, deleting or restoring an object requires, either always or under
 * conditions.
 */
export type Write =
  | Operation
  | {
      readonly operation: Operation;
      /** The operation runs only if the step sends this property to the platform. */
      readonly sets?: string;
      /** The operation runs only if the inputs contain this property. May be a path, such as `seed.dumpFile`. */
      readonly has?: string;
    };

/** Facts that are known before a step runs. The operations that they rule out need no permission. */
export interface Circumstances {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the properties that the step sends to the platform. */
  readonly sets: ReadonlySet<string>;
}

/** The operations that create, update, delete, restore and read objects of one resource type. */
export interface Operations extends Readonly<Partial<Record<Step, readonly Write[]>>> {
  /** The operations that read the object. Every step also requires permission for these operations. */
  readonly read: readonly Operation[];
}

interface Definition {
  readonly operations: Operations;
}

export const STEPS: readonly Step[] = ["create", "update", "delete", "restore"];

/** Returns the write operations of a step, without the operations that `known` rules out. */
export const writesOf = ({ operations }: Definition, step: Step, known?: Circumstances): Operation[] =>
  (operations[step] ?? []).flatMap((write) => {
    if (typeof write === "string") return [write];
    const { operation, sets, has } = write;
    const isSent =
      !known ||
      ((sets === undefined || known.sets.has(sets)) && (has === undefined || mayHave(known.inputs, has.split("."))));
    return isSent ? [operation] : [];
  });

/** Returns the operations for which these steps need permission, including those that read the object. */
export const operationsOf = (definition: Definition, steps: readonly Step[], known?: Circumstances): Operation[] => [
  ...new Set([...steps.flatMap((step) => writesOf(definition, step, known)), ...definition.operations.read]),
];

/** Returns whether the inputs may have a property. A value that is secret or not known yet may have any property. */
function mayHave(inputs: unknown, [property = "", ...rest]: readonly string[]): boolean {
  if (typeof inputs !== "object" || inputs === null) return inputs !== undefined && inputs !== null;
  const value = (inputs as Record<string, unknown>)[property];
  return rest.length === 0 ? value !== undefined && value !== null : mayHave(value, rest);
}

export const accessOf = (operation: Operation): Access => api[operation].access;

/** Returns the scope that a group-scoped token needs, or `undefined` if no scope permits the operation. */
export function scopeOf(operation: Operation): Scope | undefined {
  const { level, scope } = accessOf(operation);
  return level === "group" ? scope : undefined;
}

/** Returns whether every credential may run the operation. */
export const isOpen = (operation: Operation): boolean => accessOf(operation).level === "any";

const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Returns the lowest role that may run the operation. */
export function roleOf(operation: Operation, namesGroup: boolean): Role {
  const { role = "viewer", groupRole } = accessOf(operation);
  return highest([role, ...(namesGroup && groupRole ? [groupRole] : [])]);
}

export const highest = (roles: readonly Role[]): Role =>
  roles.reduce((one, other) => (ROLES.indexOf(other) > ROLES.indexOf(one) ? other : one), "viewer");
