import { FREE_PLAN, PlanId } from "../../contract/organization";
import { listMembers, type Organization } from "../credentials/membership";
import { asFlag } from "../store/schema";
import { DOMAIN } from "./hostnames";
import type { Entry, Operations } from "./operation";
import { changeOrganization } from "./organization";

/** Plans and invoices. This API charges nothing and limits nothing, so it has no prices, quotas or invoices. */
export const billing = {
  listPlans: { handle: () => ({ plans: PlanId().options.map(planRecord) }) },

  retrieveSubscription: { handle: (_request, { accessScope }) => subscriptionOf(accessScope.organization) },

  updateSubscription: {
    async handle({ body }, { state, accessScope }) {
      const { organization } = accessScope;
      const { plan, overages } = body;
      const timeline = body.timeline ?? (organization.plan_timeline || "monthly");
      const changes = {
        plan,
        plan_timeline: plan === FREE_PLAN ? "" : timeline,
        ...(typeof overages === "boolean" && { overages: asFlag(overages) }),
      };
      await changeOrganization(state, organization.id, changes);
      return subscriptionOf({ ...organization, ...changes });
    },
    audit({ request: { body }, answer: { subscription } }) {
      const { plan, timeline, overages } = subscription;
      const entry: Entry = { code: "org-plan-update", data: { plan, timeline } };
      return typeof body.overages === "boolean" ? [entry, { code: "org-set-overages", data: { overages } }] : entry;
    },
  },

  listInvoices: { handle: () => ({ invoices: [] }) },

  openBillingPortal: {
    handle: (_request, { accessScope }) => ({
      portal: { url: `https://billing.${DOMAIN}/${accessScope.organization.slug}` },
    }),
    audit: () => [],
  },

  retrievePaymentMethods: {
    handle: (_request, { accessScope }) => ({ exists: accessScope.organization.plan !== FREE_PLAN }),
  },

  retrieveBillingCustomer: {
    async handle(_request, { state, accessScope }) {
      const members = await listMembers(state, accessScope.organization.id);
      return {
        name: accessScope.organization.name,
        email: members.find(({ role }) => role === "owner")?.email ?? "",
        tax_id: { value: "", country: "" },
        billing_address: { line1: "", line2: "", city: "", state: "", postal_code: "", country: "" },
      };
    },
  },
} satisfies Partial<Operations>;

const planRecord = (name: string) => ({
  name,
  price: "0",
  prices: [],
  quotas: { rowsRead: 0, rowsWritten: 0, databases: null, locations: 0, storage: 0, groups: 0, bytesSynced: 0 },
});

const subscriptionOf = ({ plan, plan_timeline, overages }: Organization) => ({
  subscription: { name: plan, plan, timeline: plan_timeline, overages: overages === 1 },
});
