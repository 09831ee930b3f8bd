import type { Operation } from "../platform/contract/api";

interface Unused {
  readonly operations: readonly Operation[];
  /** Complete sentences that explain why no resource, function or command uses the operations. */
  readonly whyUnused: string;
}

/**
 * The operations of the platform that no resource, function or command uses. docs/reference/operations.md shows the
 * reasons. `npm run check` fails if an unused operation is missing here, or if a used operation is listed.
 */
export const UNUSED_OPERATIONS: readonly Unused[] = [
  {
    operations: ["listOrganizations", "listOrganizationsAsObject"],
    whyUnused: "The provider manages one organization, which its settings name.",
  },
  {
    operations: ["createOrganization", "deleteOrganization"],
    whyUnused:
      "The provider manages an existing organization. Creating or deleting an organization involves its plan and payment.",
  },
  {
    operations: [
      "listPlans",
      "retrieveSubscription",
      "updateSubscription",
      "listInvoices",
      "openBillingPortal",
      "retrievePaymentMethods",
      "retrieveBillingCustomer",
    ],
    whyUnused: "People, not programs, decide about plans and payments.",
  },
  {
    operations: ["transferGroup", "transferDatabase"],
    whyUnused: "An action, not a state: the object leaves the organization that the provider manages.",
  },
  {
    operations: ["wakeDatabase"],
    whyUnused: "An action, not a state: a database that was woken may fall asleep again at any time.",
  },
  {
    operations: ["updateGroupVersion", "updateDatabaseVersion"],
    whyUnused: "An action, not a state: it installs the newest version, and a program cannot choose a version.",
  },
  {
    operations: ["retrieveAwsMigration"],
    whyUnused: "Shows the progress of a migration, which is an action, not a state.",
  },
  {
    operations: ["awaitGroupLocation", "awaitInstance"],
    whyUnused: "Only waits, without changing or returning anything, and no resource needs to wait.",
  },
  {
    operations: ["addInstance", "removeInstance"],
    whyUnused: "Databases get their instances from the `locations` of their `Group`.",
  },
  {
    operations: ["retrieveInstance"],
    whyUnused: "`listInstances` returns the same data for all instances of a database.",
  },
  {
    operations: ["listTopQueries"],
    whyUnused: "People tune queries, and nothing that a program declares depends on query statistics.",
  },
  {
    operations: ["retrieveGroup", "retrieveGroupConfiguration", "listGroupsById"],
    whyUnused: "`listGroups` returns the same data for all groups in one request.",
  },
  {
    operations: ["createDatabaseById"],
    whyUnused: "`createDatabase` does the same.",
  },
  {
    operations: ["deleteDatabase", "createDatabaseToken", "createGroupToken"],
    whyUnused: "The operation by UUID does the same, and cannot affect another object that now has the name.",
  },
  {
    operations: ["createNestedApiToken"],
    whyUnused: "`createApiToken` does the same.",
  },
  {
    operations: ["listOwnApiTokens", "revokeOwnApiToken"],
    whyUnused:
      "`listApiTokens` and `revokeApiToken` do the same for the tokens of all members, and identify tokens by id.",
  },
  {
    operations: ["invalidateApiTokens"],
    whyUnused: "An action, not a state: it revokes all tokens of a person, including the token that Pulumi uses.",
  },
  {
    operations: ["retrieveLocation", "listLocationsByPlatform", "listOrganizationLocations"],
    whyUnused: "`listLocations` returns all locations that a group can have.",
  },
];
