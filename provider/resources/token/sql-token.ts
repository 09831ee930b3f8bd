import * as z from "zod";
import type { Problem, Vocabulary } from "../../../kit/field";
import { isRefusal, Refusal } from "../../../kit/refusal";
import type { Inputs, NowContext } from "../../../kit/resource";
import { durationOf } from "../../../platform/values/duration";
import { jwtClaimsOf } from "../../client/credential";
import { field, type Platform } from "../../platform";
import {
  durationInvalid,
  RENEWAL_WITHOUT_EXPIRATION,
  renewalTooEarly,
  SQL_TOKEN_UNIMPORTABLE,
  tokenIssueUncertain,
  tokenStaysValid,
} from "./messages";

const NEVER = "never";

const Authorization = z.enum(["full-access", "read-only"]).meta({
  vocabulary: {
    name: "Authorization",
    description: "What a SQL-engine token allows.",
    values: { "full-access": "Reads and writes.", "read-only": "Reads only." },
  } satisfies Vocabulary,
});

const durationProblem = (text: string): string | undefined =>
  durationOf(text) === undefined ? durationInvalid({ text }) : undefined;

const isEndlessToken = (text: string): boolean => text === NEVER;

/** The inputs of all resources for SQL-engine tokens, except what the token is for. */
export const tokenInputs = {
  expiration: field.replaces(z.string().optional(), {
    describe:
      'How long the token is valid from its issue: a duration with the units w, d, h, m, s ("30d", "1w12h"), or "never". Default: "never". Another duration replaces the token by a new one; the old one stays valid until its own end.',
    describeOutput: "How long the token is valid from its issue.",
    isAlwaysShown: true,
    default: NEVER,
    valid: (text) => (isEndlessToken(text) ? undefined : durationProblem(text)),
    same: (wanted, observed = NEVER) => durationOf(wanted) === durationOf(observed),
  }),
  authorization: field.replaces(Authorization.optional(), {
    describe:
      "What the token allows: `full-access` or `read-only`. Default: `full-access`. Another value replaces the token by a new one; the old one stays valid.",
    describeOutput: "What the token allows.",
    isAlwaysShown: true,
    default: "full-access",
  }),
  renewBefore: field.local(z.string().optional(), {
    describe:
      'How long before it expires the token is replaced: a duration ("7d"). From then on a preview announces the replacement and the next update issues a new token; the old one stays valid until it expires. Default: the token is replaced once it has expired.',
    valid: durationProblem,
    same: (wanted, observed) => observed !== undefined && durationOf(wanted) === durationOf(observed),
  }),
  keepers: field.keepers(z.record(z.string(), z.string()).optional(), {
    describe:
      "Any values. When one of them changes, a new token is issued. The values are never sent to the platform. Include the `generation` of a `SigningKeyRotation` to issue a new token in the update that rotates the key.",
    default: {},
  }),
};

/** The outputs of all resources for SQL-engine tokens. */
export const tokenOutputs = {
  token: field.shownOnce(z.string(), { describe: "The token, a JWT. The platform shows it only once." }),
  expiresAt: field.output(z.iso.datetime().optional(), {
    describe: "Time at which the token expires (RFC 3339); absent if it never expires.",
  }),
  organizationId: field.output(z.uuid(), { describe: "UUID of the organization." }),
};

/**
 * Abilities that all resources for SQL-engine tokens share. These tokens cannot be looked up, because the platform does
 * not store them.
 */
export const sqlToken = {
  unimportable: SQL_TOKEN_UNIMPORTABLE,
  expires: { at: "expiresAt", early: "renewBefore", durationOf: (text: string) => durationOf(text) ?? 0 },
  valid: renewalProblem,
} as const;

type Wanted = Partial<Inputs<typeof tokenInputs>>;

/** Returns a problem if `renewBefore` would make every update renew the token, or would never have an effect. */
function renewalProblem({ expiration = NEVER, renewBefore }: Wanted): Problem | undefined {
  if (renewBefore === undefined) return undefined;
  const property = "renewBefore";
  if (isEndlessToken(expiration)) return { property, reason: RENEWAL_WITHOUT_EXPIRATION };
  return (durationOf(renewBefore) ?? 0) < (durationOf(expiration) ?? 0)
    ? undefined
    : { property, reason: renewalTooEarly({ renewBefore, expiration }) };
}

/**
 * Returns a `catch` handler. If the response with the token was lost, the handler explains that the token cannot be
 * recovered.
 *
 * @param of What the token is for, for example `database <DbId>`.
 */
export const warnIfLost =
  (of: string) =>
  (cause: unknown): never => {
    if (!isRefusal(cause) || !cause.uncertain) throw cause;
    throw new Refusal(cause.kind, {
      ...tokenIssueUncertain({ cause: cause.message, thing: of }),
      uncertain: true,
      cause,
    });
  };

/** Builds the result of `create` from the token alone, so that nothing can fail after the token is issued. */
export const issuedToken = (jwt: string, { expiration = NEVER, authorization = "full-access" }: Wanted) => {
  const { exp } = z.looseObject({ exp: z.number().optional() }).catch({}).parse(jwtClaimsOf(jwt));
  return {
    expiration,
    authorization,
    token: jwt,
    expiresAt: exp === undefined ? undefined : new Date(exp * 1000).toISOString(),
  };
};

/**
 * Warns that the token stays valid on the platform after the resource is deleted.
 *
 * @param of What the token is for, for example `database <DbId>`.
 */
export function warnNotRevocable(
  of: string,
  { now: { expiresAt }, platform: { clock }, warn }: NowContext<Platform, { readonly expiresAt?: string | undefined }>,
): void {
  if (expiresAt !== undefined && Date.parse(expiresAt) <= clock.now()) return;
  warn(tokenStaysValid({ thing: of, end: expiresAt }));
}
