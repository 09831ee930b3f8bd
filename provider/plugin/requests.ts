import {
  CheckRequest,
  type DiffRequest,
  type InvokeRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Refusal } from "../../platform/client/refusal";
import type { AnyFunction } from "../functions/function";
import { functions } from "../functions/list";
import type { Compared } from "../lifecycle/diff";
import type { NameRequest } from "../lifecycle/naming";
import { resources } from "../resources/list";
import type { AnyResource } from "../resources/resource";
import { decode } from "./values";

const byToken = new Map(resources.map((resource) => [`dbplatform:index:${resource.type}`, resource]));

type Values = ReturnType<CheckRequest["getNews"]>;

/** What the requests about one resource have in common. */
export interface ResourceRequest {
  getType(): string;
  getUrn(): string;
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

/** What is secret is so by its kind, or because the program made it so. */
export function secretsOf(resource: AnyResource, request: ResourceRequest): string[] {
  const values = [request.getNews?.(), request.getOlds?.(), request.getInputs?.(), request.getProperties?.()];
  return [...(resource.secret ?? []), ...values.flatMap((struct) => [...decode(struct).secrets])];
}

/** What Diff and Update compare. */
export const comparedOf = (request: DiffRequest | UpdateRequest): Compared => ({
  id: request.getId(),
  oldInputs: decode(request.getOldInputs()).properties,
  state: decode(request.getOlds()).properties,
  news: decode(request.getNews()).properties,
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
