import type * as z from "zod";
import { logicalNameInUrn } from "../../kit/lifecycle/naming";
import { sqlTokenClaimsOf } from "../client/credential";
import type { Thing } from "../inventory/things";
import type { PlatformContext } from "../platform";
import { database } from "../resources/database/database";
import { group } from "../resources/group/group";
import { databaseToken } from "../resources/token/database-token";
import { groupToken } from "../resources/token/group-token";
import { asSecret, contentOf, type ForeignResource, typeOf } from "./foreign-state";
import { type Listed, recognizedToken, recordedToken } from "./foreign-token";
import { NO_OBJECT_IN_STATE, objectNotListed, SECRETS_ENCRYPTED } from "./messages";

interface ForeignInventory {
  readonly things: readonly Thing[];
  /** The resources of which something cannot be adopted. */
  readonly leftOut: readonly {
    readonly type: string;
    readonly name: string;
    readonly id: string;
    readonly reason: string;
  }[];
}

/**
 * Returns the listed objects that the resources manage, the configurations of these databases, and the tokens in the
 * resources' states. What the platform does not list is left out.
 */
export async function takeForeignInventory(
  resources: readonly ForeignResource[],
  all: readonly Thing[],
  { platform }: PlatformContext,
): Promise<ForeignInventory> {
  const listed = { all, organizationId: await platform.organization.id() };
  const results = resources.flatMap((source) => thingsOf(source, listed).map((result) => ({ source, result })));
  const found = results.flatMap(({ result }) => (typeof result === "string" ? [] : result));
  // The first resource with an object or a token created it, and the others use it.
  const things = new Map([...Map.groupBy(found, keyOf)].flatMap(([key, [first]]) => (first ? [[key, first]] : [])));
  const isPartOfFound = ({ resource, container }: Thing) =>
    resource.inside?.isPart && container !== undefined && things.has(keyOf(container));
  return {
    things: [
      ...all.flatMap((thing) => things.get(keyOf(thing)) ?? (isPartOfFound(thing) ? thing : [])),
      ...[...things.values()].filter(({ resource }) => resource.list === undefined),
    ],
    leftOut: results.flatMap(({ source, result }) =>
      typeof result === "string"
        ? { type: typeOf(source) ?? source.type, name: logicalNameInUrn(source.urn), id: source.id, reason: result }
        : [],
    ),
  };
}

const keyOf = ({ resource, id }: Thing): string => `${resource.type} ${id}`;

/** Returns what a resource manages. In place of an object that cannot be adopted, returns the reason. */
function thingsOf(source: ForeignResource, listed: Listed): (Thing | string)[] {
  const type = typeOf(source);
  if (type === undefined) return handWrittenThings(source, listed);
  if (type === databaseToken.type || type === groupToken.type) return [recordedToken(source, type, listed)];
  return [listedThing(source, type, listed) ?? objectNotListed({ type })];
}

/** Returns the object with the id of the resource, or else the only object of this type whose UUID is in the outputs. */
function listedThing(source: ForeignResource, type: string, { all }: Listed): Thing | undefined {
  const { texts } = contentOf(source.outputs);
  const things = all.filter(({ resource }) => resource.type === type);
  const [mentioned, ...others] = things.filter(({ id }) => texts.has(id));
  const thing = things.find(({ id }) => id === source.id) ?? (others.length === 0 ? mentioned : undefined);
  const shownOnce = thing?.resource.properties.shownOnce ?? [];
  if (thing === undefined || shownOnce.length === 0) return thing;
  const { args, state } = thing.resource;
  const { inputs, outputs } = source;
  const secrets = Object.fromEntries(shownOnce.map((property) => [property, asSecret(outputs[property])]));
  return {
    ...thing,
    recorded: { inputs: declared(inputs, args), outputs: declared({ ...outputs, ...secrets }, state) },
  };
}

const declared = (values: Readonly<Record<string, unknown>>, { shape }: z.ZodObject) =>
  Object.fromEntries(Object.entries(values).filter(([property]) => property in shape));

/**
 * Returns the databases and groups whose UUID is in the outputs, if the id of the resource is their UUID or name, and
 * the tokens for databases and groups. A resource that only mentions a database does not manage it.
 */
function handWrittenThings(source: ForeignResource, listed: Listed): (Thing | string)[] {
  const { texts, isEncrypted } = contentOf({ ...source.outputs, id: source.id });
  const objects = listed.all.filter(
    ({ resource, id, name }) =>
      (resource === database || resource === group) && texts.has(id) && (id === source.id || name === source.id),
  );
  const tokens = [...texts].flatMap((text) => {
    const claims = sqlTokenClaimsOf(text);
    return claims ? recognizedToken(source, { jwt: text, claims }, listed) : [];
  });
  const found = [...objects, ...tokens];
  if (isEncrypted) return [...found, SECRETS_ENCRYPTED];
  return found.length > 0 ? found : [NO_OBJECT_IN_STATE];
}
