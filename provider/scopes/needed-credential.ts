import type { Operation } from "../../platform/contract/api";
import { SCOPES, type Scope } from "../../platform/values/scope";
import {
  highestRole,
  isOpenToAll,
  permissionOf,
  permittingRole,
  permittingScope,
  type Role,
} from "../permissions/permissions";
import { groupsOf, type PreviewedGroup } from "./groups";
import { type Need, objectsWithNeeds, type PreviewedObject } from "./needs";
import type { Preview } from "./preview";

/** A platform operation that a run needs, with the steps that need it. */
interface NeededOperation {
  readonly operation: Operation;
  /** The scope with which a group-scoped token may run the operation; `undefined` if no scope permits it. */
  readonly scope: Scope | undefined;
  readonly role: Role;
  readonly uses: readonly Use[];
}

export interface Use {
  readonly step: Need["step"];
  readonly type: string;
  readonly name: string;
  readonly urn: string;
}

/** The least-privileged credential with which one provider can run a preview and its update. */
export interface NeededCredential {
  /** Name of the provider in the program. */
  readonly provider: string;
  readonly level: "group" | "organization";
  /** The known groups whose objects the run reads or changes. */
  readonly groups: readonly PreviewedGroup[];
  /** Objects whose group is known only during the update. */
  readonly unknown: readonly PreviewedObject[];
  readonly scopes: readonly Scope[];
  readonly role: Role;
  readonly operations: readonly NeededOperation[];
  readonly objects: readonly PreviewedObject[];
  /** UUID of the organization, if the stack's configuration contains it. */
  readonly organizationId: unknown;
}

/** Returns the least-privileged credential for each provider in a preview that has objects of the platform. */
export function credentialsFor(preview: Preview): NeededCredential[] {
  const objects = objectsWithNeeds(preview);
  const providers = [...new Set(objects.map(({ provider }) => provider))];
  return providers.map((provider) =>
    neededCredential(
      provider,
      objects.filter((object) => object.provider === provider),
      preview.config?.["dbplatform:organizationId"],
    ),
  );
}

function neededCredential(
  provider: string,
  objects: readonly PreviewedObject[],
  organizationId: unknown,
): NeededCredential {
  const operations = neededOperations(objects);
  const inGroups = groupsOf(objects.filter(({ needs }) => needs.some(({ operation }) => permittingScope(operation))));
  const isGroup = operations.every(({ scope }) => scope !== undefined) && inGroups.groups.length <= 1;
  return {
    provider,
    level: isGroup ? "group" : "organization",
    ...inGroups,
    scopes: SCOPES.filter((scope) => operations.some((each) => each.scope === scope)),
    role: highestRole(operations.map(({ role }) => role)),
    operations,
    objects,
    organizationId,
  };
}

/** Returns the operations that require a permission, ordered by scope. Operations without a scope come first. */
function neededOperations(objects: readonly PreviewedObject[]): NeededOperation[] {
  const found = new Map<Operation, { role: Role; uses: Map<string, Use> }>();
  for (const { resource, urn, name, inputs, outputs, needs } of objects)
    for (const { operation, step } of needs) {
      if (isOpenToAll(operation)) continue;
      const { role, uses } = found.get(operation) ?? { role: "viewer" as const, uses: new Map<string, Use>() };
      const namesGroup = (inputs.group ?? outputs.groupId) !== undefined;
      uses.set(`${step} ${urn}`, { step, type: resource.type, name, urn });
      found.set(operation, { role: highestRole([role, permittingRole(operation, namesGroup)]), uses });
    }
  return [...found]
    .map(([operation, { role, uses }]) => ({
      operation,
      scope: permittingScope(operation),
      role,
      uses: [...uses.values()],
    }))
    .sort((one, other) => scopeRank(one.scope) - scopeRank(other.scope));
}

const scopeRank = (scope: Scope | undefined): number => (scope === undefined ? -1 : SCOPES.indexOf(scope));

/**
 * Returns the lowest role with which every operation of the run can also change objects that other users created.
 * Returns `undefined` if `role` is high enough, or if the role makes no difference.
 */
export function roleForOthers({ operations, role }: NeededCredential): Role | undefined {
  const roles = operations.flatMap(({ operation }) => permissionOf(operation).onlyOwnBelow ?? []);
  const needed = highestRole(roles);
  return roles.length > 0 && highestRole([role, needed]) !== role ? needed : undefined;
}
