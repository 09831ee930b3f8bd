import { refuse } from "../../../platform/reference/messages";
import { SCOPES } from "../../../platform/values/scope";
import { failedResponse, inaccessibleOrganization } from "../../../provider/client/messages";
import { otherOrganization } from "../../../provider/messages";
import {
  adminNeeded,
  ORGANIZATION_LEVEL,
  organizationTokenNeeded,
  scopesMissing,
} from "../../../provider/permissions/messages";
import { databaseInUnknownGroup, objectInOtherGroup } from "../../../provider/resources/group/messages";
import { CREDENTIAL_HIDES_DELETED, objectNotFound, planHidesDeleted } from "../../../provider/resources/messages";
import { apiTokenOutOfSight } from "../../../provider/resources/token/messages";
import { idsIn } from "../named";
import type { Scene } from "../scene";
import { nameOf, type PlatformView } from "../sequence-fixture";
import { type Claim, sentences } from "./claim";
import { organizationSlug } from "./mend";

const roleOf = (view: PlatformView): string => view.organizations.acme?.role ?? "";
const isPinned = ({ credential }: Scene): boolean => credential === "pinned" || credential === "reading";
const asAdmin = (scene: Scene) => () => {
  scene.credential = "admin";
};
const asMember =
  ({ stage }: Scene) =>
  () =>
    stage.outside.updateMember({ organizationSlug, username: "cid", body: { role: "admin" } });

/** The sentence about a response that the reference API refuses with this error. */
const responseOf = ({ status, message }: { readonly status: number; readonly message: string }): string =>
  failedResponse({ status, error: message });

/** Refusals caused by the credential or by its user's role. */
export const CREDENTIAL: readonly Claim[] = [
  {
    name: "another organization",
    reasons: (scene, { organizations: { acme, globex } }) => [
      {
        says: otherOrganization({
          organizationId: acme?.id ?? "",
          configured: { slug: "globex", id: globex?.id ?? "" },
          isRecorded: false,
        }).answer,
        isTrue: scene.credential === "elsewhere",
        mend: asAdmin(scene),
      },
    ],
  },
  {
    name: "no such organization",
    reasons: (scene) => [
      {
        says: inaccessibleOrganization({ organization: "acme", response: responseOf(refuse.organizationNotFound()) })
          .answer,
        isTrue: scene.credential === "misplaced",
        mend: asAdmin(scene),
      },
    ],
  },
  {
    name: "401",
    reasons: (scene, view) => [
      {
        says: responseOf(refuse.tokenUnknown()),
        isTrue:
          scene.credential === "dead" ||
          (isPinned(scene) && !view.tokens.some(({ name }) => name === nameOf(scene.credential))),
        mend: asAdmin(scene),
      },
    ],
  },
  {
    name: "pinned to another group",
    reasons: (scene, view) => {
      const { pinnedTo } = scene.stage;
      const missing = { kind: "database", organization: "acme", pinnedTo } as const;
      const says = idsIn(scene, view).flatMap((id) => [
        objectInOtherGroup({ groupId: id, pinnedTo }).answer,
        databaseInUnknownGroup({ id, pinnedTo }).answer,
        objectNotFound({ ...missing, id }),
        objectNotFound({ ...missing, id, isKnown: true }),
        objectNotFound({ ...missing, id, hiddenBecause: CREDENTIAL_HIDES_DELETED }),
        objectNotFound({ ...missing, id, hiddenBecause: planHidesDeleted({ organization: "acme" }) }),
      ]);
      return sentences(says, { isTrue: isPinned(scene), mend: asAdmin(scene) });
    },
  },
  {
    name: "needs an organization-level credential",
    reasons: (scene) =>
      sentences(
        [
          ...Object.values(ORGANIZATION_LEVEL).map((doing) =>
            organizationTokenNeeded({ action: doing, pinnedTo: scene.stage.pinnedTo }),
          ),
          CREDENTIAL_HIDES_DELETED,
          responseOf(refuse.organizationLevel()),
        ],
        { isTrue: isPinned(scene), mend: asAdmin(scene) },
      ),
  },
  {
    name: "does not see the token",
    reasons: (scene, view) =>
      sentences(
        idsIn(scene, view).map((id) => apiTokenOutOfSight({ id }).answer),
        {
          isTrue: isPinned(scene) || !["admin", "owner"].includes(roleOf(view)),
          mend: isPinned(scene) ? asAdmin(scene) : asMember(scene),
        },
      ),
  },
  {
    name: "lacks a scope",
    reasons: (scene) =>
      sentences(
        [
          ...SCOPES.flatMap((scope) => [
            scopesMissing({ scopes: [scope] }),
            responseOf(refuse.missingScope({ scope })),
          ]),
          scopesMissing({ scopes: ["db:create", "db:delete"] }),
        ],
        { isTrue: scene.credential === "reading", mend: asAdmin(scene) },
      ),
  },
  {
    name: "role",
    reasons: (scene, view) => {
      const role = roleOf(view);
      return sentences(
        [
          ...(["restoring", "changing the settings", "managing members"] as const).map((work) =>
            adminNeeded({ work, organization: "acme", username: "cid", role }),
          ),
          responseOf(refuse.roleTooLow({ leastRole: "member" })),
          responseOf(refuse.roleTooLow({ leastRole: "admin" })),
          responseOf(refuse.roleTooLow({ leastRole: "admin", doing: "updating member roles" })),
        ],
        { isTrue: ["member", "viewer"].includes(role), mend: asMember(scene) },
      );
    },
  },
];
