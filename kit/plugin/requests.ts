import type { AnyResource } from "../definition";
import type { AnyFunction } from "../function";
import type { Sides } from "../lifecycle/comparison";
import type { Context } from "../lifecycle/context";
import { logicalNameInUrn, type NameRequest, typeTokenInUrn } from "../lifecycle/naming";
import type { Properties, State } from "../lifecycle/properties";
import { recordableSecrets, recordableState } from "../lifecycle/recordable";
import { warnOfOpenSecrets } from "../lifecycle/warnings";
import type { Provider } from "../provider";
import { Refusal } from "../refusal";
import { ignoredInRequest, keepIgnoredParts } from "./ignored";
import { unknownFunction, unknownResourceType } from "./messages";
import { AutonamingMode, type CheckRequest, type DiffRequest, type UpdateRequest } from "./protocol/message-types";
import { type Decoded, decodeStructValues, encodeStructValues } from "./protocol/values";
import { findUnrequested, type Unrequested, withoutForeignProperties } from "./unrequested-read";

export interface ResourceRequest {
  readonly id?: string;
  readonly type: string;
  readonly urn: string;
  /** Time limit in seconds; 0 means no limit. */
  readonly timeout?: number;
  readonly news?: Buffer | undefined;
  readonly olds?: Buffer | undefined;
  readonly oldInputs?: Buffer | undefined;
  readonly inputs?: Buffer | undefined;
  readonly properties?: Buffer | undefined;
}

/** The resources and functions of a provider, by token. */
export class Types {
  readonly #provider: Provider;
  readonly #resources: ReadonlyMap<string, AnyResource>;

  constructor(provider: Provider) {
    this.#provider = provider;
    this.#resources = new Map(
      provider.resources.map((resource) => [`${provider.name}:index:${resource.type}`, resource]),
    );
  }

  /** @throws Refusal if the provider has no resource of this type. */
  resourceOf(request: Pick<ResourceRequest, "type" | "urn">): AnyResource {
    const type = request.type || typeTokenInUrn(request.urn);
    const resource = this.#resources.get(type);
    if (resource) return resource;
    throw new Refusal("invalid", { answer: unknownResourceType({ type, types: [...this.#resources.keys()] }) });
  }

  /** @throws Refusal if the provider has no such function. */
  async functionOf(token: string): Promise<AnyFunction> {
    const functions = (await this.#provider.functions?.()) ?? [];
    const byToken = new Map(functions.map((one) => [`${this.#provider.name}:index:${one.name}`, one]));
    const found = byToken.get(token);
    if (found) return found;
    throw new Refusal("invalid", { answer: unknownFunction({ token, tokens: [...byToken.keys()] }) });
  }
}

/** The property values in a request about one resource, decoded on first use. */
export class ResourceValues {
  /** One entry for each of the request's properties, at most. */
  readonly #decoded = new Map<Buffer, Decoded>();

  constructor(
    private readonly resource: AnyResource,
    private readonly request: ResourceRequest,
  ) {}

  get news(): Properties {
    return this.#decode(this.request.news).properties;
  }

  get oldInputs(): Properties {
    return this.#decode(this.request.oldInputs).properties;
  }

  get inputs(): Properties {
    return this.#decode(this.request.inputs).properties;
  }

  get properties(): Properties {
    return this.#decode(this.request.properties).properties;
  }

  /** Why the recorded state lacks the request to read the object before updates. */
  get unrequested(): Unrequested {
    return findUnrequested(this.#decode(this.request.olds).properties);
  }

  /** Returns the state that the engine has recorded, as the steps use it. */
  recorded(context: Context): State {
    const { id = "", olds, properties } = this.request;
    const { properties: recorded, secrets } = this.#decode(olds ?? properties);
    const state = withoutForeignProperties(recorded);
    warnOfOpenSecrets(this.resource, { id, state }, secrets, context);
    return recordableState(this.resource, { id, state }, context);
  }

  /**
   * Encodes values of the resource. Secret are the properties that are always secret, those that the program marked as
   * secret, and those whose value is secret wherever it comes from.
   */
  encode(values: Properties): Buffer {
    const { news, olds, inputs, properties } = this.request;
    const given = [news, olds, inputs, properties].flatMap((each) => [...this.#decode(each).secrets]);
    return encodeStructValues(values, [...recordableSecrets(this.resource, values), ...given]);
  }

  #decode(values: Buffer | undefined): Decoded {
    if (!values) return decodeStructValues(undefined);
    const decoded = this.#decoded.get(values) ?? decodeStructValues(values);
    this.#decoded.set(values, decoded);
    return decoded;
  }
}

export function sidesInRequest(
  request: DiffRequest | UpdateRequest,
  values: ResourceValues,
  resource: AnyResource,
  context: Context,
): Sides {
  const { properties: ignored, parts } = ignoredInRequest(request.ignoreChanges);
  const state = context.run.object(resource.type, request.id).observed ?? values.recorded(context);
  const sides = { id: request.id, oldInputs: values.oldInputs, state, news: values.news };
  return { ...sides, news: keepIgnoredParts(resource, sides, parts), ignored };
}

const MODES = {
  [AutonamingMode.PROPOSE]: "propose",
  [AutonamingMode.ENFORCE]: "enforce",
  [AutonamingMode.DISABLE]: "disable",
} as const;

export function pluginNameRequest({ name, urn, randomSeed, autonaming }: CheckRequest): NameRequest {
  const logicalName = name || logicalNameInUrn(urn);
  const named = { logicalName, randomSeed: randomSeed ?? Buffer.alloc(0) };
  if (!autonaming) return named;
  const mode = MODES[autonaming.mode as keyof typeof MODES] ?? "propose";
  return { ...named, autonaming: { mode, proposed: autonaming.proposedName ?? "" } };
}
