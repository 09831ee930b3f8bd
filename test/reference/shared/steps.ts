import fc from "fast-check";
import type { ApiCaller } from "../calling";
import type { Model } from "./model";
import type { Pair } from "./pairs";

/** A request that is sent in parallel with others. The names of groups and databases are single letters. */
export type ParallelRequest =
  | { readonly does: "createGroup" | "deleteGroup" | "restoreGroup" | "transferGroup"; readonly name: string }
  | { readonly does: "renameGroup"; readonly name: string; readonly to: string }
  | { readonly does: "deleteDatabase" | "restoreDatabase"; readonly name: string }
  | { readonly does: "createDatabase" | "mintToken"; readonly name: string; readonly group: string };

const either = <Text extends string>(...texts: Text[]) => fc.constantFrom(...texts);

/** Generates steps that share a few names, so that they often conflict. */
export const anyStep: fc.Arbitrary<ParallelRequest> = fc.oneof(
  fc.record({ does: either("createGroup"), name: either("g", "h", "k") }),
  fc.record({ does: either("deleteGroup", "transferGroup"), name: either("g") }),
  fc.record({ does: either("restoreGroup"), name: either("g", "h") }),
  fc.record({ does: either("renameGroup"), name: either("g"), to: either("h", "k") }),
  fc.record({ does: either("deleteDatabase"), name: either("a", "b") }),
  fc.record({ does: either("restoreDatabase"), name: either("a", "b", "c", "d") }),
  fc.record({ does: either("createDatabase"), name: either("a", "c", "d", "n"), group: either("g", "h", "k") }),
  fc.record({ does: either("mintToken"), name: either("t", "u"), group: either("g", "h") }),
);

export function ask(model: Model, step: ParallelRequest): number {
  switch (step.does) {
    case "renameGroup":
      return model.renameGroup(step.name, step.to);
    case "createDatabase":
    case "mintToken":
      return model[step.does](step.name, step.group);
    default:
      return model[step.does](step.name);
  }
}

export function send(caller: ApiCaller, step: ParallelRequest, pair: Pair): Promise<number> {
  const here = { organizationSlug: pair.here };
  const { name } = step;
  switch (step.does) {
    case "createGroup":
      return caller.status("createGroup", { ...here, body: { name, location: "aws-us-east-1" } });
    case "deleteGroup":
      return caller.status("deleteGroup", { ...here, groupName: name });
    case "renameGroup":
      return caller.status("renameGroup", { ...here, groupName: name, body: { name: step.to } });
    case "transferGroup":
      return caller.status("transferGroup", { ...here, groupName: name, body: { organization: pair.there } });
    case "restoreGroup":
      return caller.status("restoreGroup", { organizationId: pair.id, groupId: pair.uuid(name) });
    case "createDatabase":
      return caller.status("createDatabase", { ...here, body: { name, group: step.group } });
    case "deleteDatabase":
      return caller.status("deleteDatabase", { ...here, databaseName: name });
    case "restoreDatabase":
      return caller.status("restoreDatabase", { organizationId: pair.id, databaseId: pair.uuid(name) });
    case "mintToken": {
      const body = { organization: pair.here, group: step.group, scopes: ["read"] };
      return caller.status("createApiToken", { tokenName: `${pair.here}-${name}`, body });
    }
  }
}
