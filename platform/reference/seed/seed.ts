import type * as z from "zod";
import { SeedFields } from "./fields";
import { reportMistakes } from "./mistakes";

/** The schema of a seed, which is the initial content of a store. */
export const Seed = SeedFields
  // Runs even if fields have the wrong form, so that all mistakes are reported at once.
  .superRefine(reportMistakes, { when: () => true })
  .meta({ title: "Seed of the reference API", description: "Initial data of the reference API." });

export type Seed = z.input<typeof Seed>;
export type CompleteSeed = z.output<typeof Seed>;
export type CompleteOrganization = CompleteSeed["organizations"][number];
