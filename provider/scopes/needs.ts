import type { AnyResource } from "../../kit/definition";
import { Comparison } from "../../kit/lifecycle/comparison";
import { logicalNameInUrn, typeTokenInUrn } from "../../kit/lifecycle/naming";
import { type Properties, UNKNOWN } from "../../kit/lifecycle/properties";
import type { Step } from "../../kit/preflight";
import type { Operation } from "../../platform/contract/api";
import { typeOfToken } from "../command/type-token";
import { type Circumstances, declaredOperationsOf, writesOf } from "../permissions/permissions";
import { database } from "../resources/database/database";
import { resources } from "../resources/list";
import { cleanProperties, type Preview, type PreviewedStep, partsOf, providerNameIn, type StepPart } from "./preview";

/** A platform object that one step of a preview reads or changes. */
export interface PreviewedObject {
  readonly resource: AnyResource;
  readonly urn: string;
  /** Logical name in the program. */
  readonly name: string;
  /** Name of the provider, which determines the credential. */
  readonly provider: string;
  /** The inputs after the step or, if the step deletes the object, before the step. */
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly id: string | undefined;
  /** For each input, the URNs of the resources that its value comes from. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  readonly needs: readonly Need[];
}

export interface Need {
  readonly operation: Operation;
  readonly step: "read" | Step;
}

/**
 * Returns the platform objects in a preview, each with the operations that it needs, sorted by type and name. The order
 * of the steps would differ between runs, because the engine handles independent resources in parallel.
 */
export function objectsWithNeeds({ steps }: Preview): PreviewedObject[] {
  const deleted = new Set(steps.filter(({ op }) => op === "delete").map(({ urn }) => urn));
  const objects = steps.flatMap((step) => {
    const type = typeOfToken(typeTokenInUrn(step.urn));
    const resource = resources.find((each) => each.type === type);
    return resource ? partsOf(step, deleted).map((part) => objectWithNeeds(resource, step, part)) : [];
  });
  return objects.toSorted(
    (one, other) =>
      compare(one.resource.type, other.resource.type) || compare(one.name, other.name) || compare(one.urn, other.urn),
  );
}

const { compare } = new Intl.Collator("en", { numeric: true });

function objectWithNeeds(
  resource: AnyResource,
  { op, urn, provider, diffReasons }: PreviewedStep,
  part: StepPart,
): PreviewedObject {
  const { change, from, to } = part;
  const state = to ?? from;
  const sources = Object.fromEntries(
    Object.entries(state?.propertyDependencies ?? {}).map(([name, urns]) => [name, urns ?? []]),
  );
  const inputs = withSeedKind(cleanProperties(state?.inputs ?? {}), sources);
  const reads = declaredOperationsOf(resource).read.map((operation): Need => ({ operation, step: "read" }));
  const writes = change
    ? neededOperations(resource, change, {
        inputs,
        sets: propertiesSent(resource, part, diffReasons),
        isReplacement: op !== "create",
      })
    : [];
  return {
    resource,
    urn,
    name: logicalNameInUrn(urn),
    provider: providerNameIn(provider),
    inputs,
    outputs: cleanProperties({ ...from?.outputs, ...to?.outputs }),
    id: to?.id ?? from?.id,
    sources,
    needs: [...reads, ...writes],
  };
}

/** Marks a seed as a copy if it is not known yet and comes from databases alone, so that it counts as no dump. */
function withSeedKind(inputs: Properties, { seed: from = [] }: PreviewedObject["sources"]): Properties {
  const isCopy = from.length > 0 && from.every((urn) => typeOfToken(typeTokenInUrn(urn)) === database.type);
  return inputs.seed === UNKNOWN && isCopy ? { ...inputs, seed: { database: UNKNOWN } } : inputs;
}

function neededOperations(resource: AnyResource, step: Step, known: Circumstances): Need[] {
  // If an update sends no properties, it only records values in the state.
  if (step === "update" && known.sets.length === 0) return [];
  return writesOf(resource, step, known).map((operation) => ({ operation, step }));
}

/** Returns the properties that a step sends to the platform. */
function propertiesSent(
  resource: AnyResource,
  { change, from, to }: StepPart,
  diffReasons: PreviewedStep["diffReasons"],
): readonly string[] {
  const news = cleanProperties(to?.inputs ?? {});
  if (change === "create") return Object.keys(news);
  const comparison = new Comparison(resource, {
    id: from?.id ?? "",
    oldInputs: cleanProperties(from?.inputs ?? {}),
    state: cleanProperties(from?.outputs ?? {}),
    news,
  });
  // The engine reports the path of each changed value, such as `triggers.quarter`. It reports no paths for dynamic
  // providers.
  const changed = diffReasons?.map((path) => path.split(/[.[]/, 1)[0] ?? path);
  const candidates = changed ?? Object.keys(comparison.changes);
  return candidates.filter((name) => {
    const property = resource.properties.get(name);
    const isSent = !property.isLocal || property.onChange === "act";
    return name !== "deletedAt" && isSent && !property.isOnlyRecorded(comparison);
  });
}
