import type { DatabaseRow, GroupRow } from "../../../platform/reference/store/schema";
import type { Declared } from "../../fake-engine/declared-program";
import { withArgument, withDeclared } from "../declarations";
import type { Scene } from "../scene";
import type { PlatformView } from "../sequence-fixture";

export const organizationSlug = "acme";
let fresh = 0;

export const edit = (
  scene: Scene,
  is: (declared: Declared, slot: string) => boolean,
  change: (declared: Declared, slot: string) => Declared,
): void => {
  for (const [slot, declared] of scene.program)
    if (is(declared, slot)) scene.program = withDeclared(scene.program, slot, change(declared, slot));
};
export const rename = (scene: Scene, is: (declared: Declared, slot: string) => boolean): void => {
  for (const [slot, declared] of scene.program)
    if (is(declared, slot)) scene.program = withArgument(scene.program, slot, "name", `fresh-${fresh++}`);
};
export const withoutImport = ({ import: _id, ...rest }: Declared): Declared => rest;
export const paid = ({ stage }: Scene) => stage.api.plan("scaler");
export const recoverable = ({ stage }: Scene) =>
  stage.outside.updateOrganization({ organizationSlug, body: { restore_enabled: true } });

export const unprotectDatabase = ({ stage }: Scene, { name }: DatabaseRow) =>
  stage.outside.updateDatabaseConfiguration({
    organizationSlug,
    databaseName: name,
    body: { delete_protection: false },
  });
export const unprotectGroup = ({ stage }: Scene, { name }: GroupRow) =>
  stage.outside.updateGroupConfiguration({ organizationSlug, groupName: name, body: { delete_protection: false } });
/** Lets the program name the group in which its databases are, so that none of them leaves the group. */
export const keepInGroup = (scene: Scene, { databases }: PlatformView, group: string): void =>
  edit(
    scene,
    (_declared, slot) => databases.some((row) => row.group_id === group && row.id === scene.managed(slot)),
    (declared) => ("group" in declared.args ? { ...declared, args: { ...declared.args, group } } : declared),
  );
export const manages = (scene: Scene, id: string): boolean =>
  [...scene.program.keys()].some((slot) => scene.managed(slot) === id);

/** Restores a group outside Pulumi, after enabling a paid plan and recovery, both of which a restore requires. */
export async function bringBack(scene: Scene, groupId: string): Promise<void> {
  await paid(scene);
  await recoverable(scene);
  const { outside, organizationId } = scene.stage;
  const { databases } = await outside.restoreGroup({ organizationId, groupId });
  for (const one of [groupId, ...databases.map(({ DbId }) => DbId)]) scene.revived.add(one);
}

/** Renames a group both on the platform and in the program, so that the old name becomes free. */
export async function makeWay(scene: Scene, { id, name: groupName }: GroupRow): Promise<void> {
  const name = `fresh-${fresh++}`;
  edit(
    scene,
    ({ type }, slot) => type === "Group" && scene.managed(slot) === id,
    (declared) => ({ ...declared, args: { ...declared.args, name } }),
  );
  await scene.stage.outside.renameGroup({ organizationSlug, groupName, body: { name } });
}
