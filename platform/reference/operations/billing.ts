import { FREE_PLAN, PlanId } from "../../contract/organization";
import { changeOrganization, listMembers, type Organization } from "../store/organizations";
import { flag } from "../store/schema";
import type { Handlers } from "./handler";
import { DOMAIN } from "./names";

/**
 * Handlers for plans and invoices. This API charges nothing and limits nothing, so it has no prices, quotas or
 * invoices.
 */
export const billing: Pick<
  Handlers,
  | "listPlans"
  | "listOrganizationPlans"
  | "retrieveSubscription"
  | "updateSubscription"
  | "listInvoices"
  | "openBillingPortal"
  | "retrievePaymentMethods"
  | "retrieveBillingCustomer"
> = {
  listPlans: () => ({ plans: PlanId().options.map(planRecord) }),
  listOrganizationPlans: () => ({ plans: PlanId().options.map(planRecord) }),

  retrieveSubscription: (_request, { accessScope }) => subscriptionOf(accessScope.organization),

  async updateSubscription({ body }, { state, accessScope }) {
    const { organization } = accessScope;
    const { plan, overages } = body;
    const timeline = body.timeline ?? (organization.plan_timeline || "monthly");
    const changes = {
      plan,
      plan_timeline: plan === FREE_PLAN ? "" : timeline,
      ...(typeof overages === "boolean" && { overages: flag(overages) }),
    };
    await changeOrganization(state, organization.id, changes);
    return subscriptionOf({ ...organization, ...changes });
  },

  listInvoices: () => ({ invoices: [] }),

  openBillingPortal: (_request, { accessScope }) => ({
    portal: { url: `https://billing.${DOMAIN}/${accessScope.organization.slug}` },
  }),

  retrievePaymentMethods: (_request, { accessScope }) => ({ exists: accessScope.organization.plan !== FREE_PLAN }),

  async retrieveBillingCustomer(_request, { state, accessScope }) {
    const members = await listMembers(state, accessScope.organization.id);
    return {
      name: accessScope.organization.name,
      email: members.find(({ role }) => role === "owner")?.email ?? "",
      tax_id: { value: "", country: "" },
      billing_address: { line1: "", line2: "", city: "", state: "", postal_code: "", country: "" },
    };
  },
};

const planRecord = (name: string) => ({
  name,
  price: "0",
  prices: [],
  quotas: { rowsRead: 0, rowsWritten: 0, databases: null, locations: 0, storage: 0, groups: 0, bytesSynced: 0 },
});

const subscriptionOf = ({ plan, plan_timeline, overages }: Organization) => ({
  subscription: { name: plan, plan, timeline: plan_timeline, overages: overages === 1 },
});
