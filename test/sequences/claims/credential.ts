import { failedResponse, inaccessibleOrganization } from "../../../provider/client/messages";
import { otherOrganization } from "../../../provider/messages";
import { adminNeeded, scopesMissing } from "../../../provider/permissions/messages";
import { databaseInUnknownGroup, objectInOtherGroup } from "../../../provider/resources/group/messages";
import { objectNotFound } from "../../../provider/resources/messages";
import { apiTokenOutOfSight } from "../../../provider/resources/token/messages";
import { ANY, patternOf, WORD, WORDS } from "../message-pattern";
import type { Scene } from "../scene";
import { nameOf, type View } from "../sequence-fixture";
import type { Claim, Said } from "./claim";
import { organizationSlug } from "./mend";

const WORK = ["changing the settings", "managing members", "restoring"] as const;

const roleOf = (view: View): string => view.organizations.acme?.role ?? "";
const isPinned = ({ credential }: Scene): boolean => credential === "pinned" || credential === "reading";
const asAdmin = (_said: Said, scene: Scene): void => {
  scene.credential = "admin";
};
const asMember = (_said: Said, { stage }: Scene) =>
  stage.outside.updateMember({ organizationSlug, username: "cid", body: { role: "admin" } });

/** Refusals caused by the credential or by its user's role. */
export const CREDENTIAL: readonly Claim[] = [
  {
    name: "another organization",
    says: patternOf(
      otherOrganization({ organizationId: WORD, configured: { slug: "globex", id: ANY }, isRecorded: false }).answer,
    ),
    holds: ([, id], { credential }, view) => credential === "elsewhere" && id === view.organizations.acme?.id,
    mend: asAdmin,
  },
  {
    name: "no such organization",
    says: patternOf(inaccessibleOrganization({ organization: "acme", response: WORDS }).answer),
    holds: (_, { credential }) => credential === "misplaced",
    mend: asAdmin,
  },
  {
    name: "401",
    says: patternOf(failedResponse({ status: 401, error: "" })),
    holds: (_, scene, view) =>
      scene.credential === "dead" ||
      (isPinned(scene) && !view.tokens.some(({ name }) => name === nameOf(scene.credential))),
    mend: asAdmin,
  },
  {
    name: "pinned to another group",
    says: patternOf(
      objectInOtherGroup({ groupId: ANY, pinnedTo: ANY }).answer,
      databaseInUnknownGroup({ id: ANY, pinnedTo: ANY }).answer,
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY }),
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY, isKnown: true }),
      objectNotFound({ kind: "database", id: ANY, organization: "acme", pinnedTo: ANY, hiddenBecause: "" }),
    ),
    holds: (_, scene) => isPinned(scene),
    mend: asAdmin,
  },
  {
    name: "needs an organization-level credential",
    says: /organization-level|cannot access org-level/,
    holds: (_, scene) => isPinned(scene),
    mend: asAdmin,
  },
  {
    name: "does not see the token",
    says: patternOf(apiTokenOutOfSight({ id: ANY }).answer),
    holds: (_, scene, view) => isPinned(scene) || !["admin", "owner"].includes(roleOf(view)),
    mend: (said, scene) => (isPinned(scene) ? asAdmin(said, scene) : asMember(said, scene)),
  },
  {
    name: "lacks a scope",
    says: patternOf(scopesMissing({ scopes: [ANY] }), /403: .*missing/),
    holds: (_, { credential }) => credential === "reading",
    mend: asAdmin,
  },
  {
    name: "role",
    says: patternOf(
      ...WORK.map((work) => adminNeeded({ work, organization: "acme", username: ANY, role: ANY })),
      /403: (this operation|updating member roles) is only allowed for (members|admin)/,
    ),
    holds: (_, _scene, view) => ["member", "viewer"].includes(roleOf(view)),
    mend: asMember,
  },
];
