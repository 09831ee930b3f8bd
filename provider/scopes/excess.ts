import type { Scope } from "../../platform/values/scope";
import type { NeededCredential, Use } from "./needed-credential";

/** The permissions that one provider needs and a group-scoped token does not have. */
export interface Excess {
  readonly credential: NeededCredential;
  readonly resources: readonly ResourceExcess[];
  /** Whether the run works in several groups, of which a group-scoped token reaches only one. */
  readonly isInSeveralGroups: boolean;
}

/** A permission that a resource needs and the token lacks. */
interface ResourceExcess {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  /** `undefined` if no group-scoped token can run the steps. */
  readonly scope: Scope | undefined;
  readonly steps: readonly Use["step"][];
}

/** Returns what a run needs beyond a group-scoped token with these scopes. The list is empty if that token is enough. */
export const excessOf = (credentials: readonly NeededCredential[], allowed: readonly Scope[]): Excess[] =>
  credentials
    .map((credential) => ({
      credential,
      resources: resourcesBeyond(credential, allowed),
      isInSeveralGroups: credential.groups.length > 1,
    }))
    .filter(({ resources, isInSeveralGroups }) => resources.length > 0 || isInSeveralGroups);

function resourcesBeyond({ operations }: NeededCredential, allowed: readonly Scope[]): ResourceExcess[] {
  const found = new Map<string, ResourceExcess>();
  for (const { scope, uses } of operations) {
    if (scope !== undefined && allowed.includes(scope)) continue;
    for (const { step, type, name, urn } of uses) {
      const key = `${scope} ${urn}`;
      const steps = [...new Set([...(found.get(key)?.steps ?? []), step])];
      found.set(key, { type, name, urn, scope, steps });
    }
  }
  return [...found.values()];
}
