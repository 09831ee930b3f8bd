import { Ajv2020 } from "ajv/dist/2020";
import { api, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import { openApiDocument } from "../../platform/reference/openapi/document";

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const document = openApiDocument();
const formats = {
  uri: /^https?:\/\//,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
};
const ajv = new Ajv2020({ strict: false, validateSchema: false, formats, allErrors: true });
ajv.addSchema(document, "openapi");

const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/**
 * Describes how a response differs from the OpenAPI document, or returns `undefined` if the response matches. 5xx
 * responses are ignored, because only fault rules cause them.
 */
export function undescribed(operation: Operation, { status, body }: Answered): string | undefined {
  if (status >= 500) return undefined;
  const { method, paths }: Endpoint = api[operation];
  const at = pointer("paths", paths[0], method.toLowerCase(), "responses", String(status));
  const validate = ajv.getSchema(`openapi#${at}${pointer("content", "application/json", "schema")}`);
  if (!validate)
    return `${operation} answered ${status}, which the OpenAPI document does not know: add it to the endpoint's refusals`;
  if (validate(body)) return undefined;
  return `${operation} answered ${status} in a form that the OpenAPI document does not describe: ${ajv.errorsText(validate.errors)}`;
}
