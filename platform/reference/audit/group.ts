import type { Audits, Entry } from "./entry";

export const group: Pick<
  Audits,
  | "createGroup"
  | "deleteGroup"
  | "updateGroupConfiguration"
  | "renameGroup"
  | "addGroupLocation"
  | "removeGroupLocation"
  | "unarchiveGroup"
  | "updateGroupVersion"
  | "transferGroup"
  | "restoreGroup"
> = {
  createGroup: ({ answer: { group } }) => ({
    code: "group-create",
    data: { group: group.name, uuid: group.uuid, location: group.primary },
  }),
  deleteGroup: ({ answer: { group } }) => ({ code: "group-delete", data: { group: group.name, uuid: group.uuid } }),
  updateGroupConfiguration: ({ request: { params, body } }) =>
    typeof body.delete_protection === "boolean"
      ? { code: body.delete_protection ? "group-protect" : "group-unprotect", data: { group: params.groupName } }
      : [],
  renameGroup: ({ request: { params, body } }) => ({
    code: "group-rename",
    data: { group: params.groupName, name: body.name },
  }),
  addGroupLocation: ({ request: { params } }) => ({
    code: "group-location-add",
    data: { group: params.groupName, location: params.location },
  }),
  removeGroupLocation: ({ request: { params } }) => ({
    code: "group-location-rm",
    data: { group: params.groupName, location: params.location },
  }),
  unarchiveGroup: ({ answer: { group } }) => ({
    code: "group-unarchive",
    data: { group: group.name, uuid: group.uuid },
  }),
  updateGroupVersion: ({ request: { params } }) => ({ code: "group-update", data: { group: params.groupName } }),
  transferGroup({ request: { params, body }, answer }) {
    const entry: Entry = {
      code: "group-transfer",
      data: { group: params.groupName, uuid: answer.uuid, organization: body.organization },
    };
    return [entry, { ...entry, organization: body.organization }];
  },
  restoreGroup: ({ answer: { group, databases } }) => ({
    code: "group-restore",
    data: { group: group.name, uuid: group.uuid, databases: databases.map(({ DbId }) => DbId) },
  }),
};
