import { createHash } from "node:crypto";
import * as z from "zod";
import { api, type Operation as PlatformOperation } from "../../contract/api";
import {
  ANSWER_OF_UNANSWERED,
  HANG_AND_RESET,
  NO_EFFECT,
  NOTHING_TO_OMIT,
  operationUnknown,
  RETRY_AFTER_WITHOUT_STATUS,
  refuse,
  SEED_WITHOUT_PROBABILITY,
  STALE_AND_FAILED,
  STALE_WRITE,
} from "../messages";
import type { Store } from "../store/store";

/**
 * The name for SQL requests in fault rules and in the journal. These requests go to databases, and are not operations
 * of the platform.
 */
export const SQL = "sql";

/** The calls that a fault rule can match: an operation of the platform, or SQL requests to databases. */
export type Operation = PlatformOperation | typeof SQL;

/**
 * The maximum number of active rules. Each may hold a copy of the data (`stale`), and each request is compared with all
 * of them.
 */
export const MOST_RULES = 1_000;

/** The longest delay of a Node.js timer in milliseconds. A timer with a longer delay fires immediately. */
const LONGEST_MS = 2 ** 31 - 1;

const shape = z.strictObject({
  operation: z
    .enum(["*", SQL, ...(Object.keys(api) as PlatformOperation[])], {
      error: ({ input }) => operationUnknown({ given: JSON.stringify(input) ?? "missing" }),
    })
    .meta({ description: "Name of an operation; `sql` means requests to databases, `*` all requests." }),
  times: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "Number of calls that the rule is applied to. Default: 1; with `probability`: no limit." }),
  probability: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .meta({ description: "Probability that the rule is applied to a call. Default: 1." }),
  seed: z.int().optional().meta({
    description: "Seed of `probability`: with the same seed, it selects the same calls each time. Default: 1.",
  }),
  latency: z
    .int()
    .min(0)
    .max(LONGEST_MS)
    .optional()
    .meta({ description: "Delay in milliseconds, before anything else happens." }),
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .meta({ description: "Status of the response; the operation is not performed." }),
  retryAfter: z.int().min(0).optional().meta({ description: "Seconds in the header `Retry-After`." }),
  body: z
    .union([z.enum(["html", "truncated"]), z.record(z.string(), z.unknown())])
    .optional()
    .meta({
      description:
        "Replaces the body of the response: `html` by a page of HTML, `truncated` by its first half, an object by that object. Without `status`, the operation is performed.",
    }),
  omit: z.array(z.string().min(1)).min(1).optional().meta({
    description: "Names of fields that are left out of the response, wherever they stand in it.",
  }),
  reset: z
    .enum(["before", "after"])
    .optional()
    .meta({ description: "Ends the connection without a response, before the operation or after its commit." }),
  stale: z.literal(true).optional().meta({
    description: "Answers reads with the data from when the rule was added, like a replica that lags behind.",
  }),
  hang: z
    .union([z.literal(true), z.literal("after")])
    .optional()
    .meta({
      description:
        "Sends no response while the caller waits. `true`: the operation is not performed; `after`: it is committed first.",
    }),
});

type Rule = z.output<typeof shape>;

const leavesUnanswered = ({ hang, reset }: Rule) => hang !== undefined || reset !== undefined;
const isReadOperation = (operation: Operation): boolean => operation !== SQL && api[operation].method === "GET";
const answersItself = ({ status, body, omit }: Rule) =>
  status !== undefined || body !== undefined || omit !== undefined;

const CONTRADICTIONS: readonly [contradicts: (rule: Rule) => boolean, sentence: string][] = [
  [({ probability, seed }) => seed !== undefined && probability === undefined, SEED_WITHOUT_PROBABILITY],
  [({ hang, reset }) => hang !== undefined && reset !== undefined, HANG_AND_RESET],
  [(rule) => leavesUnanswered(rule) && answersItself(rule), ANSWER_OF_UNANSWERED],
  [
    ({ operation, omit, body, status }) =>
      omit !== undefined && (operation === SQL || body !== undefined || status !== undefined),
    NOTHING_TO_OMIT,
  ],
  [(rule) => rule.stale === true && (leavesUnanswered(rule) || answersItself(rule)), STALE_AND_FAILED],
  [({ stale, operation }) => stale === true && operation !== "*" && !isReadOperation(operation), STALE_WRITE],
  [({ retryAfter, status }) => retryAfter !== undefined && status === undefined, RETRY_AFTER_WITHOUT_STATUS],
  [
    (rule) =>
      !leavesUnanswered(rule) &&
      !answersItself(rule) &&
      rule.latency === undefined &&
      !rule.stale &&
      rule.retryAfter === undefined,
    NO_EFFECT,
  ],
];

/** A rule that determines which calls fail and how. */
export const FaultRule = shape
  .superRefine((rule, context) => {
    for (const [contradicts, message] of CONTRADICTIONS)
      if (contradicts(rule)) context.addIssue({ code: "custom", message });
  })
  .meta({ description: "A rule that makes calls fail." });

export const FaultRules = z.array(FaultRule).readonly().meta({
  title: "Faults of the reference API",
  description: "Rules that make calls fail. The first rule that matches a call is applied.",
});

export type Fault = z.input<typeof FaultRule>;

export type ActiveFault = Fault & {
  readonly id: string;
  /** Number of calls to which the rule has been applied. */
  readonly fired: number;
};

export type FiredFault = Fault & { readonly id: string };

export interface FiredRule {
  readonly fault: FiredFault;
  /** A copy of the platform's data from the time when the rule was added, for stale responses. */
  readonly replica?: Promise<Store>;
}

interface KeptRule {
  readonly id: string;
  readonly fault: Fault;
  readonly replica?: Promise<Store>;
  fired: number;
  /** Number of matching calls, including calls to which the rule was not applied. */
  asked: number;
}

/**
 * Holds the active rules. A rule is active until it has been applied to `times` calls. If several rules match a call,
 * only the first is applied.
 */
export class Faults {
  /** At most `MOST_RULES` rules. */
  #rules: KeptRule[] = [];
  #added = 0;
  readonly #initial: readonly Fault[];
  readonly #copy: () => Promise<Store>;

  /**
   * @param initial Rules that apply from the start and again after a reset.
   * @param copy Copies the current state of the platform.
   */
  constructor(initial: readonly Fault[], copy: () => Promise<Store>) {
    this.#initial = initial;
    this.#copy = copy;
    this.reset();
  }

  /** @throws ApiError if there are too many active rules. */
  add(fault: Fault): string {
    if (this.#rules.length >= MOST_RULES) throw refuse.tooManyFaults({ bound: MOST_RULES });
    this.#added += 1;
    const id = String(this.#added);
    const replica = fault.stale ? this.#copy() : undefined;
    // Prevents an unhandled rejection if the copy fails. The request that uses the copy awaits it and reports the
    // failure.
    replica?.catch(() => undefined);
    this.#rules.push({ id, fault, fired: 0, asked: 0, ...(replica && { replica }) });
    return id;
  }

  list(): ActiveFault[] {
    return this.#rules.map(({ id, fault, fired }) => ({ id, ...fault, fired }));
  }

  remove(id: string): boolean {
    const left = this.#rules.filter((rule) => rule.id !== id);
    const found = left.length < this.#rules.length;
    this.#rules = left;
    return found;
  }

  clear(): void {
    this.#rules = [];
  }

  /** Replaces all rules with the initial rules, and restarts the call counts of these rules. */
  reset(): void {
    this.#rules = [];
    this.#added = 0;
    for (const fault of this.#initial) this.add(fault);
  }

  take(operation: Operation): FiredRule | undefined {
    const rule = this.#rules.find((each) => (fitsOperation(each.fault, operation) ? hitsByChance(each) : false));
    if (!rule) return undefined;
    rule.fired += 1;
    if (rule.fired === timesToFire(rule.fault)) this.remove(rule.id);
    return { fault: { id: rule.id, ...rule.fault }, ...(rule.replica && { replica: rule.replica }) };
  }
}

const fitsOperation = ({ operation, stale }: Fault, asked: Operation): boolean =>
  (operation === "*" || operation === asked) && (!stale || isReadOperation(asked));

const timesToFire = ({ times, probability }: Fault): number => times ?? (probability === undefined ? 1 : Infinity);

/**
 * Counts the call and returns whether the rule applies to it. With a given seed, the decision for the nth call is
 * always the same, whatever other rules there are.
 */
function hitsByChance(rule: KeptRule): boolean {
  rule.asked += 1;
  const { probability = 1, seed = 1 } = rule.fault;
  const chance = createHash("sha256").update(`${seed} ${rule.asked}`).digest().readUInt32BE() / 2 ** 32;
  return chance < probability;
}
