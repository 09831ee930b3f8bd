import {
  CheckRequest,
  type DiffRequest,
  type InvokeRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Refusal } from "../../platform/client/refusal";
import { functions } from "../functions/list";
import type { Compared } from "../lifecycle/compare";
import type { NameRequest } from "../lifecycle/naming";
import type { Properties, State } from "../lifecycle/properties";
import type { AnyResource } from "../resource/definition";
import type { AnyFunction } from "../resource/function";
import { resources } from "../resources/list";
import { decode } from "./values";

const byToken = new Map(resources.map((resource) => [`dbplatform:index:${resource.type}`, resource]));

type Values = ReturnType<CheckRequest["getNews"]>;

/** What the requests about one resource have in common. */
export interface ResourceRequest {
  getType(): string;
  getUrn(): string;
  /** In seconds; 0: none. */
  getTimeout?(): number;
  getNews?(): Values;
  getOlds?(): Values;
  getInputs?(): Values;
  getProperties?(): Values;
}

export function resourceOf(request: Pick<ResourceRequest, "getType" | "getUrn">): AnyResource {
  const type = request.getType() || (request.getUrn().split("::")[2] ?? "");
  const resource = byToken.get(type.slice(type.lastIndexOf("$") + 1));
  if (resource) return resource;
  throw new Refusal("invalid", {
    answer: `there is no resource type ${type}; there are ${[...byToken.keys()].join(", ")}`,
  });
}

const functionsByToken = new Map(functions.map((definition) => [`dbplatform:index:${definition.name}`, definition]));

export function functionOf(request: InvokeRequest): AnyFunction {
  const found = functionsByToken.get(request.getTok());
  if (found) return found;
  throw new Refusal("invalid", {
    answer: `there is no function ${request.getTok()}; there are ${[...functionsByToken.keys()].join(", ")}`,
  });
}

/** The values of a request about one resource. */
export interface ResourceValues {
  readonly news: Properties;
  readonly olds: State;
  readonly inputs: Properties;
  readonly properties: Properties;
  /** The properties of an object, where there is one. */
  readonly state: State;
  /** Names of what is secret by its kind, or because the program made it so. */
  readonly secrets: readonly string[];
}

export function valuesOf(resource: AnyResource, request: ResourceRequest): ResourceValues {
  const news = decode(request.getNews?.());
  const olds = decode(request.getOlds?.());
  const inputs = decode(request.getInputs?.());
  const properties = decode(request.getProperties?.());
  return {
    news: news.properties,
    olds: olds.properties,
    inputs: inputs.properties,
    properties: properties.properties,
    state: properties.properties,
    secrets: [...resource.shownOnce, ...[news, olds, inputs, properties].flatMap(({ secrets }) => [...secrets])],
  };
}

/** What Diff and Update compare. */
export const comparedOf = (request: DiffRequest | UpdateRequest, { olds, news }: ResourceValues): Compared => ({
  id: request.getId(),
  oldInputs: decode(request.getOldInputs()).properties,
  state: olds,
  news,
  ignored: new Set(request.getIgnorechangesList()),
});

export function nameRequestOf(request: CheckRequest): NameRequest {
  const options = request.getAutonaming();
  const { Mode } = CheckRequest.AutonamingOptions;
  const logicalName = request.getName() || (request.getUrn().split("::").at(-1) ?? "");
  const named = { logicalName, randomSeed: request.getRandomseed_asU8() };
  if (!options) return named;
  const mode =
    options.getMode() === Mode.DISABLE ? "disable" : options.getMode() === Mode.ENFORCE ? "enforce" : "propose";
  return { ...named, autonaming: { mode, proposed: options.getProposedName() } };
}
