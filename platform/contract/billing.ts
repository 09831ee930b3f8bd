import * as z from "zod";
import { endpoint } from "./endpoint";
import { lazy } from "./lazy";
import { organizationPath, organizationPaths, PlanId, Timeline } from "./organization";
import { databaseUsage, usageFields } from "./usage";

const usedByOrganization = lazy(() =>
  usageFields().extend({ databases: z.int(), locations: z.int(), groups: z.int() }),
);

const count = lazy(() => z.int().min(0));

/** The record of a plan, with its prices and quotas (wire-facts 1.7). */
const Plan = lazy(() =>
  z
    .object({
      name: z.string(),
      price: z.string(),
      prices: z.array(z.object({ value: z.string(), timeline: z.string() })),
      quotas: z.object({
        rowsRead: count(),
        rowsWritten: count(),
        databases: count().nullable().meta({ description: "`null`: no limit." }),
        locations: count(),
        storage: count(),
        groups: count(),
        bytesSynced: count(),
      }),
    })
    .meta({ id: "Plan" }),
);

const subscription = lazy(() =>
  z.object({
    subscription: z.object({ name: z.string(), plan: z.string(), timeline: z.string(), overages: z.boolean() }),
  }),
);

export const billing = {
  /** Retrieves the usage of an organization and of each of its databases (wire-facts 1.7). */
  retrieveOrganizationUsage: endpoint({
    summary: "Retrieve the usage of an organization and of each of its databases.",
    method: "GET",
    paths: organizationPaths("/usage"),
    params: organizationPath,
    result: () =>
      z.object({
        organization: z.object({
          uuid: z.guid(),
          usage: usedByOrganization(),
          databases: z.array(databaseUsage()),
        }),
      }),
    access: { level: "organization" },
  }),

  listPlans: endpoint({
    summary: "List the plans.",
    method: "GET",
    paths: ["/v1/plans"],
    result: () => z.object({ plans: z.array(Plan()) }),
    access: { level: "any" },
  }),

  retrieveSubscription: endpoint({
    summary: "Retrieve the plan of an organization.",
    method: "GET",
    paths: organizationPaths("/subscription"),
    params: organizationPath,
    result: subscription,
    access: { level: "organization" },
  }),

  /** Changes the plan of an organization and, if given, its timeline and overages (wire-facts 1.7). */
  updateSubscription: endpoint({
    summary: "Change the plan of an organization.",
    method: "POST",
    paths: organizationPaths("/subscription"),
    params: organizationPath,
    body: () =>
      z.object({
        plan: PlanId(),
        timeline: Timeline().nullish().meta({ description: "Default: the current timeline, or `monthly`." }),
        overages: z.boolean().nullish(),
      }),
    result: subscription,
    changes: [],
    access: { level: "organization", role: "admin" },
  }),

  listInvoices: endpoint({
    summary: "List the invoices of an organization.",
    method: "GET",
    paths: organizationPaths("/invoices"),
    params: organizationPath,
    query: () =>
      z.object({
        type: z.enum(["all", "upcoming", "issued"]).optional().meta({ description: "Default: all." }),
      }),
    result: () =>
      z.object({
        invoices: z.array(
          z.object({
            invoice_number: z.string(),
            amount_due: z.string(),
            due_date: z.string(),
            paid_at: z.string(),
            payment_failed_at: z.string(),
            invoice_pdf: z.string(),
          }),
        ),
      }),
    access: { level: "organization" },
  }),

  openBillingPortal: endpoint({
    summary: "Open the billing portal of an organization.",
    method: "POST",
    paths: organizationPaths("/billing/portal"),
    params: organizationPath,
    result: () => z.object({ portal: z.object({ url: z.string() }) }),
    changes: [],
    access: { level: "organization", role: "admin" },
  }),

  retrievePaymentMethods: endpoint({
    summary: "Check whether an organization has a payment method.",
    method: "GET",
    paths: organizationPaths("/billing/payment-methods"),
    params: organizationPath,
    result: () => z.object({ exists: z.boolean() }),
    access: { level: "organization" },
  }),

  retrieveBillingCustomer: endpoint({
    summary: "Retrieve the billing customer of an organization.",
    method: "GET",
    paths: organizationPaths("/billing/customer"),
    params: organizationPath,
    result: () =>
      z.object({
        name: z.string(),
        email: z.string(),
        tax_id: z.object({ value: z.string(), country: z.string() }),
        billing_address: z.object({
          line1: z.string(),
          line2: z.string(),
          city: z.string(),
          state: z.string(),
          postal_code: z.string(),
          country: z.string(),
        }),
      }),
    access: { level: "organization" },
  }),
};
