import { isLocation } from "../../values/location";
import { refuse } from "../messages";
import { changeGroup, type Group } from "../store/groups";
import { groupNamed, groupRecord } from "./group";
import type { Handlers, OrganizationContext } from "./handler";
import { locationsOf } from "./location";

/**
 * Handlers for a group's locations. Adding an existing location or removing a missing location succeeds, because the
 * group is already in the requested state.
 */
export const groupLocation: Pick<Handlers, "addGroupLocation" | "removeGroupLocation" | "awaitGroupLocation"> = {
  async addGroupLocation({ params }, context) {
    const group = await groupNamed(params.groupName, context);
    if (!isLocation(params.location)) throw refuse.invalidLocation(params.location);
    if (locationsOf(group).includes(params.location)) return { group: groupRecord(group) };
    return withOthers(group, [...othersOf(group), params.location], context);
  },

  async removeGroupLocation({ params }, context) {
    const group = await groupNamed(params.groupName, context);
    if (!isLocation(params.location)) throw refuse.invalidLocation(params.location);
    if (params.location === group.location) throw refuse.primaryLocation(params.location);
    const others = othersOf(group).filter((code) => code !== params.location);
    return withOthers(group, others, context);
  },

  /** Succeeds immediately, because a location is ready as soon as it has been added. */
  async awaitGroupLocation({ params }, context) {
    const group = await groupNamed(params.groupName, context);
    if (!locationsOf(group).includes(params.location)) throw refuse.groupLocationNotFound(group.name, params.location);
    return {};
  },
};

const othersOf = (group: Group): string[] => locationsOf(group).slice(1);

async function withOthers(group: Group, others: string[], { state }: OrganizationContext) {
  const changes = { other_locations: JSON.stringify(others) };
  await changeGroup(state, group.id, changes);
  return { group: groupRecord({ ...group, ...changes }) };
}
