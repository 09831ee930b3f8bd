import { z } from "zod";
import { api, type Operation } from "../contract/api";

/** Which calls go wrong, and how. */
export const FaultRule = z.strictObject({
  operation: z
    .enum(["*", ...(Object.keys(api) as Operation[])])
    .meta({ description: "Name of an operation; `*` for every one." }),
  times: z.int().min(1).default(1).meta({ description: "How many calls, from the next one on." }),
  latency: z.int().min(0).optional().meta({ description: "Milliseconds before anything else happens." }),
  status: z.int().min(400).max(599).optional().meta({ description: "Answered instead of doing the work." }),
  retryAfter: z.int().min(0).optional().meta({ description: "Seconds, for the header `Retry-After`." }),
  body: z
    .union([z.enum(["html", "truncated"]), z.record(z.string(), z.unknown())])
    .optional()
    .meta({
      description:
        "In place of the true body: a page of HTML, only the first half of the true one, or this object. Without `status` the work is done.",
    }),
  reset: z
    .enum(["before", "after"])
    .optional()
    .meta({ description: "The connection ends without an answer, before the work or when it is committed." }),
  hang: z.literal(true).optional().meta({ description: "No answer, and no work, while the caller waits." }),
});

export type Fault = z.input<typeof FaultRule>;

/** The rules that still have calls left. The first one that fits a call is used. */
export class Faults {
  private rules: (z.output<typeof FaultRule> & { left: number })[] = [];

  add(fault: Fault): void {
    const rule = FaultRule.parse(fault);
    this.rules.push({ ...rule, left: rule.times });
  }

  clear(): void {
    this.rules = [];
  }

  take(operation: Operation): Fault | undefined {
    const rule = this.rules.find((each) => each.operation === "*" || each.operation === operation);
    if (!rule) return undefined;
    rule.left -= 1;
    this.rules = this.rules.filter(({ left }) => left > 0);
    return rule;
  }
}
