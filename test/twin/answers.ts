import { api as contract, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import type { OpenReferenceApi } from "../../platform/reference/server";

/** Operations whose answers are about the credential of the request. docs/rehearsal.md says so. */
const ABOUT_THE_CREDENTIAL: readonly string[] = ["listOwnApiTokens"] satisfies Operation[];

type Values = Readonly<Record<string, string>>;

/** Returns the answers to all GET requests about an organization, by path. */
export async function everyAnswer({ url, organization, organizationId }: OpenReferenceApi, token: string) {
  const answers: Record<string, unknown> = {};
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: JSON.parse((await answer.text()) || "null") };
  };
  const list = async (kind: string): Promise<Values[]> =>
    (await get(`/v1/organizations/${organization}/${kind}`)).body[kind] ?? [];
  const home = { organizationSlug: organization, organizationId, locationCode: "aws-us-east-1" };
  const objects: readonly Values[] = [
    {},
    ...(await list("groups")).map(({ name = "", uuid = "", primary = "" }) => ({
      groupName: name,
      groupId: uuid,
      location: primary,
    })),
    ...(await list("databases")).map(({ Name = "", DbId = "", primaryRegion = "" }) => ({
      databaseName: Name,
      databaseId: DbId,
      instanceName: primaryRegion,
    })),
    ...(await list("members")).map(({ username = "" }) => ({ username })),
  ];
  for (const [operation, { method, paths, queryFlag }] of Object.entries<Endpoint>(contract)) {
    if (method !== "GET" || ABOUT_THE_CREDENTIAL.includes(operation)) continue;
    for (const object of objects) {
      const path = filled(paths[0], { ...home, ...object });
      if (path === undefined) continue;
      const address = queryFlag ? `${path}?${queryFlag}=true` : path;
      answers[address] ??= await get(address);
    }
  }
  return answers;
}

/** Returns the path with its parameters, or `undefined` if there is no value for one of them. */
function filled(path: string, values: Values): string | undefined {
  const whole = path.replace(/\{(\w+)\}/g, (parameter, name) => values[name] ?? parameter);
  return whole.includes("{") ? undefined : whole;
}
