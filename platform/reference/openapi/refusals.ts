import type { Access, Endpoint } from "../../contract/endpoint";
import { ErrorBody, PLAN_REFUSAL } from "../../contract/shared";
import { largestBody } from "../requests/body";

/**
 * Returns the statuses other than 200 that the operation can return, each with the conditions under which it occurs.
 */
export function refusalsOf(endpoint: Endpoint): ReadonlyMap<number, string> {
  const all = new Map<number, string>();
  if (canBeMalformed(endpoint)) all.set(400, "The request is invalid.");
  all.set(401, "The credential is missing, malformed, unknown or revoked.");
  if (endpoint.access.level !== "any") all.set(403, forbiddenReasons(endpoint.access));
  if (namesSomething(endpoint)) all.set(404, "The organization, or an object that the path names, does not exist.");
  if (hasBody(endpoint)) all.set(413, `The body is larger than ${largestBody(endpoint)} bytes.`);
  for (const [status, sentence] of Object.entries(endpoint.refusals ?? {}))
    all.set(Number(status), [all.get(Number(status)), sentence].filter(Boolean).join(" "));
  all.set(503, "The data is currently unavailable, or its disk is full; nothing was changed.");
  return all;
}

const hasBody = ({ method }: Endpoint): boolean => method !== "GET" && method !== "DELETE";

/**
 * Returns whether the request can be malformed: its body might not be JSON, a UUID might be invalid, or a name or query
 * parameter might hold text that cannot be stored.
 */
const canBeMalformed = (endpoint: Endpoint): boolean =>
  hasBody(endpoint) || Object.keys({ ...endpoint.params.shape, ...endpoint.query.shape }).length > 0;

const namesSomething = ({ params, access }: Endpoint): boolean =>
  Object.keys(params.shape).length > 0 || access.names === "body";

function forbiddenReasons({ level, scope, role, groupRole, unrestricted, plan }: Access): string {
  const reasons = [
    level === "group"
      ? `a group-scoped credential lacks the scope${scope ? ` \`${scope}\`` : ""}`
      : "the credential is group-scoped",
    ...(role ? [`the caller's role is lower than ${role}`] : []),
    ...(groupRole ? [`a group is named and the caller's role is lower than ${groupRole}`] : []),
    ...(unrestricted ? ["the credential is restricted to one organization"] : []),
    ...(plan ? [`the organization is on the free plan (\`code\` is then \`${PLAN_REFUSAL}\`)`] : []),
  ];
  const text = reasons.length > 1 ? `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1)}` : reasons.join();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const refusedResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: ErrorBody } },
});
