import { z } from "zod";
import { api, type Operation } from "../contract/api";

/** A longer wait ends at once in Node.js. */
const LONGEST_MS = 2 ** 31 - 1;

const shape = z.strictObject({
  operation: z
    .enum(["*", ...(Object.keys(api) as Operation[])])
    .meta({ description: "Name of an operation; `*` for every one." }),
  times: z.int().min(1).default(1).meta({ description: "How many calls, from the next one on." }),
  latency: z
    .int()
    .min(0)
    .max(LONGEST_MS)
    .optional()
    .meta({ description: "Milliseconds before anything else happens." }),
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

type Rule = z.output<typeof shape>;

const unanswered = ({ hang, reset }: Rule) => hang !== undefined || reset !== undefined;
const answered = ({ status, body }: Rule) => status !== undefined || body !== undefined;

/** Rules that nothing could be made of, each with what is told of it. */
const CONTRADICTIONS: readonly [contradicts: (rule: Rule) => boolean, sentence: string][] = [
  [(rule) => rule.hang === true && rule.reset !== undefined, "a call that hangs is not reset"],
  [
    (rule) => unanswered(rule) && answered(rule),
    "a call that hangs or is reset has no answer: leave out status and body",
  ],
  [({ retryAfter, status }) => retryAfter !== undefined && status === undefined, "retryAfter needs a status"],
  [
    (rule) => !unanswered(rule) && !answered(rule) && rule.latency === undefined && rule.retryAfter === undefined,
    "the rule has no effect: give it latency, status, body, reset or hang",
  ],
];

/** Which calls go wrong, and how. */
export const FaultRule = shape.superRefine((rule, context) => {
  for (const [contradicts, message] of CONTRADICTIONS)
    if (contradicts(rule)) context.addIssue({ code: "custom", message });
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
