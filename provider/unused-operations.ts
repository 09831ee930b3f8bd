import type { Operation } from "../platform/contract/api";

interface Unused {
  readonly operations: readonly Operation[];
  /** Says in complete sentences why no resource, function or command uses the operations. */
  readonly whyUnused: string;
}

/**
 * The operations of the platform that no resource, function or command uses. docs/reference/operations.md shows the
 * reasons, and `npm run check` fails if an operation is neither used nor listed here, or both (decision 156).
 */
export const UNUSED_OPERATIONS: readonly Unused[] = [
  {
    operations: ["listOrganizations", "listOrganizationsAsObject"],
    whyUnused: "The provider manages one organization, which its settings name.",
  },
  {
    operations: ["createOrganization", "deleteOrganization"],
    whyUnused:
      "The provider manages an organization that exists. Creating or deleting one concerns its plan and payment.",
  },
  {
    operations: [
      "listPlans",
      "listOrganizationPlans",
      "retrieveSubscription",
      "updateSubscription",
      "listInvoices",
      "openBillingPortal",
      "retrievePaymentMethods",
      "retrieveBillingCustomer",
    ],
    whyUnused: "People decide about plans and payments, not programs.",
  },
  {
    operations: ["transferGroup", "transferDatabase"],
    whyUnused: "An act, not a state: the object leaves the organization that the provider manages.",
  },
  {
    operations: ["wakeDatabase"],
    whyUnused: "An act, not a state: a database that was woken may fall asleep again at any time.",
  },
  {
    operations: ["updateGroupVersion", "updateDatabaseVersion"],
    whyUnused: "An act, not a state: it installs whichever version is the newest, and a program cannot name a version.",
  },
  {
    operations: ["retrieveAwsMigration"],
    whyUnused: "Shows the progress of a migration, which is an act and not a state.",
  },
  {
    operations: ["awaitGroupLocation", "awaitInstance"],
    whyUnused: "Waits without changing or showing anything. No resource depends on the wait.",
  },
  {
    operations: ["addInstance", "removeInstance"],
    whyUnused: "Databases get their instances from the `locations` of their `Group`.",
  },
  {
    operations: ["retrieveInstance"],
    whyUnused: "`listInstances` shows the same for all instances of a database.",
  },
  {
    operations: ["retrieveDatabaseStats", "listTopQueries"],
    whyUnused: "Queries are tuned by people, and nothing that a program declares depends on them.",
  },
  {
    operations: ["seedDatabase"],
    whyUnused:
      "It fills a database that exists. The `seed` of a `Database` fills a new one, and existing data is never overwritten.",
  },
  {
    operations: ["retrieveGroup", "retrieveGroupConfiguration", "listGroupsById"],
    whyUnused: "`listGroups` shows the same for all groups in one request.",
  },
  {
    operations: ["listDatabasesById"],
    whyUnused: "`listDatabases` shows the same.",
  },
  {
    operations: ["createDatabaseById"],
    whyUnused: "`createDatabase` does the same.",
  },
  {
    operations: ["deleteDatabase", "createDatabaseToken", "createGroupToken"],
    whyUnused: "The operation by UUID does the same, and cannot affect another object that has taken over the name.",
  },
  {
    operations: ["createNestedApiToken"],
    whyUnused: "`createApiToken` does the same.",
  },
  {
    operations: ["listOwnApiTokens", "revokeOwnApiToken"],
    whyUnused: "`listApiTokens` and `revokeApiToken` do the same by id, and for the tokens of all members.",
  },
  {
    operations: ["invalidateApiTokens"],
    whyUnused: "An act, not a state: it revokes all tokens of a person, also the one with which Pulumi runs.",
  },
  {
    operations: ["retrieveLocation", "listLocationsByPlatform", "listOrganizationLocations"],
    whyUnused: "`listLocations` shows all locations that a group can have.",
  },
];
