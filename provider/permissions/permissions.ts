import type { AnyResource } from "../../kit/definition";
import type { Permissions, PreflightFailure, Step, Work } from "../../kit/preflight";
import { credentialPreflightFailure } from "../../kit/preflight";
import { explainForbiddenRefusal } from "../../kit/refusal";
import { api, type Operation } from "../../platform/contract/api";
import type { Access } from "../../platform/contract/endpoint";
import { SCOPES, type Scope } from "../../platform/values/scope";
import { isAdmin, retrieveTokenUser, type TokenUser } from "../client/credential";
import type { Platform, PlatformContext } from "../platform";
import { adminNeeded, ORGANIZATION_LEVEL, organizationTokenNeeded, scopesMissing } from "./messages";

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
      /** The operation runs only if the inputs contain this property, not as `false`. May be a path, such as `seed.dumpFile`. */
      readonly has?: string;
      /** The operation runs only if the new object replaces another one. */
      readonly replaces?: true;
    };

/** The operations that create, update, delete, restore and read objects of one resource type. */
export interface OperationsByStep extends Readonly<Partial<Record<Step, readonly Write[]>>> {
  /** The operations that read the object. Every step also requires permission for these operations. */
  readonly read: readonly Operation[];
}

/** Permissions that are derived from the operations that a resource type declares. */
interface Derived extends Permissions<Platform> {
  readonly operations: OperationsByStep;
}

/**
 * Derives what a resource type requires of the credential from the operations that its steps run.
 *
 * @param wayOut How to do without an organization-level token, if the type needs one. Ends a sentence.
 */
export const permissionsFor = (operations: OperationsByStep, wayOut?: string): Derived => ({
  operations,
  lacking: ({ steps, ...known }, reads, context) =>
    credentialFailure(
      [...steps.flatMap((step) => writesIn(operations, step, known)), ...(reads ? operations.read : [])],
      context,
      wayOut,
    ),
});

type Declaring = Pick<AnyResource, "permissions">;

/** Returns the operations that a resource type declares with `permissionsFor`. */
export const declaredOperationsOf = ({ permissions }: Declaring): OperationsByStep =>
  (permissions as Derived).operations;

export const STEPS: readonly Step[] = ["create", "update", "delete", "restore"];

/** Facts that are known before a step runs. The operations that they rule out need no permission. */
export type Circumstances = Omit<Work, "steps">;

/** Returns the write operations of a step, without the operations that `known` rules out. */
export const writesOf = (resource: Declaring, step: Step, known?: Circumstances): Operation[] =>
  writesIn(declaredOperationsOf(resource), step, known);

/** Returns the operations for which these steps need permission, including those that read the object. */
export const operationsOf = (resource: Declaring, steps: readonly Step[], known?: Circumstances): Operation[] => [
  ...new Set([...steps.flatMap((step) => writesOf(resource, step, known)), ...declaredOperationsOf(resource).read]),
];

function writesIn(operations: OperationsByStep, step: Step, known?: Circumstances): Operation[] {
  return (operations[step] ?? []).flatMap((write) => {
    if (typeof write === "string") return [write];
    const { operation, sets, has, replaces } = write;
    const isSent =
      !known ||
      ((sets === undefined || known.sets.includes(sets)) &&
        (has === undefined || mayHaveInput(known.inputs, has.split("."))) &&
        (replaces === undefined || known.isReplacement !== false));
    return isSent ? [operation] : [];
  });
}

/** Returns whether the inputs may have a property. A value that is secret or not known yet may have any property. */
function mayHaveInput(inputs: unknown, [property = "", ...rest]: readonly string[]): boolean {
  if (typeof inputs !== "object" || inputs === null) return inputs !== undefined && inputs !== null;
  const value = (inputs as Record<string, unknown>)[property];
  return rest.length === 0 ? value !== undefined && value !== null && value !== false : mayHaveInput(value, rest);
}

export const permissionOf = (operation: Operation): Access => api[operation].access;

/** Returns the scope that a group-scoped token needs, or `undefined` if no scope permits the operation. */
export function permittingScope(operation: Operation): Scope | undefined {
  const { level, scope } = permissionOf(operation);
  return level === "group" ? scope : undefined;
}

/** Returns whether every credential may run the operation. */
export const isOpenToAll = (operation: Operation): boolean => permissionOf(operation).level === "any";

const ROLES = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Returns the lowest role that may run the operation. */
export function permittingRole(operation: Operation, namesGroup: boolean): Role {
  const { role = "viewer", groupRole } = permissionOf(operation);
  return highestRole([role, ...(namesGroup && groupRole ? [groupRole] : [])]);
}

export const highestRole = (roles: readonly Role[]): Role =>
  roles.reduce((one, other) => (ROLES.indexOf(other) > ROLES.indexOf(one) ? other : one), "viewer");

/**
 * Returns a failure if a group-scoped token does not permit the operations (§5 rules 5 and 7). Other tokens are not
 * limited by scopes.
 */
export function credentialFailure(
  operations: readonly Operation[],
  { platform: { credential } }: PlatformContext,
  wayOut?: string,
): PreflightFailure | undefined {
  const { groupId, scopes: own = [] } = credential;
  if (groupId === undefined) return undefined;
  const impossible = operations.map((operation) => ORGANIZATION_LEVEL[operation]).find((words) => words !== undefined);
  if (impossible)
    return credentialPreflightFailure(organizationTokenNeeded({ action: impossible, pinnedTo: groupId, wayOut }));
  const missing = operations
    .map(permittingScope)
    .filter((scope) => scope !== undefined && !own.includes(scope)) as Scope[];
  return missing.length === 0 ? undefined : scopesLacking(missing);
}

interface ScopesLacking extends PreflightFailure {
  readonly scopes: readonly Scope[];
}

function scopesLacking(missing: readonly Scope[]): ScopesLacking {
  const scopes = SCOPES.filter((scope) => missing.includes(scope));
  const failure: ScopesLacking = {
    reason: scopesMissing({ scopes }),
    isOfCredential: true,
    scopes,
    // Keeps the failure itself if the later one adds no scope, because its reason may name a property.
    and(later) {
      const { scopes: more = [] } = later as Partial<ScopesLacking>;
      return more.every((scope) => scopes.includes(scope)) ? this : scopesLacking([...scopes, ...more]);
    },
  };
  return failure;
}

/** Returns the API token's user, whose record is requested at most once per update. */
export const tokenUser = ({ platform: { api }, run }: PlatformContext): Promise<TokenUser | undefined> =>
  run.once("caller", () => retrieveTokenUser(api));

/** Returns a failure if the API token's user is known and is neither an admin nor an owner (§5 rule 8). */
export async function rolePermissionFailure(
  work: {
    readonly work: "changing the settings" | "listing all API tokens" | "managing members" | "restoring";
  }["work"],
  context: PlatformContext,
): Promise<PreflightFailure | undefined> {
  const caller = await tokenUser(context);
  if (caller === undefined || isAdmin(caller)) return undefined;
  return credentialPreflightFailure(adminNeeded({ work, organization: context.platform.organization.slug, ...caller }));
}

/**
 * Runs an operation, and explains the platform's error if it is forbidden. The platform's error names only the
 * permission that the failed request requires.
 *
 * @throws Refusal that names all missing scopes, or says that no group-scoped token permits the operation.
 */
export const explainAccess = <T>(operation: Operation, context: PlatformContext, work: () => Promise<T>): Promise<T> =>
  explainForbiddenRefusal(() => credentialFailure([operation], context), work);

/** Returns whether no group-scoped token can run the operation. */
export const isImpossibleForGroupToken = (operation: Operation): boolean =>
  !isOpenToAll(operation) && permittingScope(operation) === undefined;
