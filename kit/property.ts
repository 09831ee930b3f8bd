import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { GivenNames, ResourceContext } from "./context";
import type { Field, FieldOptions, InputField, OutputField, Problem } from "./field";
import {
  IMPORTED,
  isFilledInArgument,
  isKnown,
  isMissing,
  type Properties,
  present,
  type ShownDifference,
  type State,
  UNKNOWN,
} from "./lifecycle/properties";
import type { PreflightFailure } from "./preflight";
import type { Losing } from "./resource";

type AnyKind = (InputField | OutputField)["kind"];

/** What a kind of property means to the steps. A new kind is a line here and one in `Kinds`. */
interface Kind {
  readonly isOutput?: true;
  /** Whether the platform gets the value. */
  readonly isSent: boolean;
  /** Whether a read shows the value. */
  readonly isShown: boolean;
  /** What a change in the program does: `act` as a trigger does, `record` only changes the state, `warn` nothing. */
  readonly onChange: "update" | "replace" | "act" | "record" | "warn";
}

const KINDS: Readonly<Record<AnyKind, Kind>> = {
  plain: { isSent: true, isShown: true, onChange: "update" },
  replaces: { isSent: true, isShown: true, onChange: "replace" },
  createOnly: { isSent: true, isShown: false, onChange: "warn" },
  writeOnly: { isSent: true, isShown: false, onChange: "replace" },
  local: { isSent: false, isShown: false, onChange: "record" },
  keepers: { isSent: false, isShown: false, onChange: "replace" },
  trigger: { isSent: false, isShown: false, onChange: "act" },
  derived: { isSent: true, isShown: true, onChange: "update" },
  output: { isOutput: true, isSent: false, isShown: true, onChange: "record" },
  upheld: { isOutput: true, isSent: true, isShown: true, onChange: "update" },
  kept: { isOutput: true, isSent: false, isShown: true, onChange: "record" },
  shownOnce: { isOutput: true, isSent: false, isShown: false, onChange: "record" },
  whileDeleted: { isOutput: true, isSent: false, isShown: true, onChange: "record" },
};

const NONE: GivenNames = { of: () => undefined, idsOf: () => [] };

/** What a resource says of one of its properties: what needs other properties, and who sets it. */
interface Beside {
  /** Set if the kit fills in a value that the program omits. */
  readonly isFilledIn?: boolean;
  readonly moves?: readonly string[] | undefined;
  same?(wanted: unknown, observed: unknown, now: State, names: GivenNames): boolean;
  loses?(wanted: unknown, context: Lost): Promise<string | undefined> | string | undefined;
}

type Lost = ResourceContext & Losing & { readonly now: State };

/** One property of a resource, and what the steps ask of it. */
export class Property {
  readonly isInput: boolean;
  readonly isSent: boolean;
  readonly isShown: boolean;
  readonly onChange: Kind["onChange"];
  readonly #options: FieldOptions;

  constructor(
    readonly name: string,
    private readonly field: Pick<Field<AnyKind, unknown>, "kind" | "schema" | "options">,
    private readonly beside: Beside = {},
  ) {
    const { isOutput = false, isSent, isShown, onChange } = KINDS[field.kind];
    this.isInput = !isOutput;
    this.isSent = isSent;
    this.isShown = isShown;
    this.onChange = onChange;
    this.#options = field.options;
  }

  get kind() {
    return this.field.kind;
  }

  /** The schema of the values that programs write. */
  get written(): z.ZodType {
    const { schema } = this.field;
    return (this.beside.isFilledIn ? schema.optional() : schema).describe(this.#options.describe);
  }

  /** The schema of the values that the state holds. */
  get recorded(): z.ZodType {
    const { schema } = this.field;
    const { describe, describeOutput = describe, isAlwaysShown } = this.#options;
    if (this.isInput) return (isAlwaysShown ? z.nonoptional(schema) : schema).describe(describeOutput);
    const said = { ...schema.meta(), description: describe };
    return (this.kind === "whileDeleted" ? schema.optional() : schema).meta(said);
  }

  /** Whether programs write the value. */
  get isWritten(): boolean {
    return this.isInput && this.kind !== "derived";
  }

  /** Returns what follows for this property from another input, or `UNKNOWN`. */
  derive(inputs: Properties): unknown {
    const source = inputs[String(this.#options.from)];
    return isKnown(source) ? this.#options.derive?.(source) : UNKNOWN;
  }

  get isRequired(): boolean {
    return this.isWritten && !this.beside.isFilledIn && !this.field.schema.safeParse(undefined).success;
  }

  /** The platform's value if the property was never set. */
  get default(): unknown {
    return this.#options.default;
  }

  /** What users do instead of changing a property that is used only at creation. */
  get instead(): string | undefined {
    return this.#options.instead;
  }

  /** The outputs that change with this property. */
  get moves(): readonly string[] {
    return this.beside.moves ?? [];
  }

  /** Whether the state holds the value only while the program sets the property. Removing it then changes nothing. */
  get isRecordedIfSet(): boolean {
    return this.#options.isRecordedIfSet === true;
  }

  /** Whether the value is the first content of the object, which a later program need not mention. */
  get isContent(): boolean {
    return this.#options.isContent === true;
  }

  get references(): FieldOptions["references"] {
    return this.#options.references;
  }

  /** The value that an output should always have. */
  get upheld(): unknown {
    return this.kind === "upheld" ? this.#options.value : undefined;
  }

  /** Whether an update may do something about a change. */
  get isChangeable(): boolean {
    return this.onChange === "update" || this.onChange === "act";
  }

  /** Whether only the provider uses the value, which therefore cannot drift. */
  get isLocal(): boolean {
    return this.isInput && !this.isSent;
  }

  // One of its values

  /** Returns whether a value is absent or the platform's default. */
  isDefault(value: unknown): boolean {
    return value === undefined || isDeepStrictEqual(value, this.default);
  }

  /** Returns whether the program's and the observed value mean the same. Neither is normalized first. */
  isEqual(wanted: unknown, observed: Properties, names: GivenNames = NONE): boolean {
    const [value, found] = [wanted ?? this.default, observed[this.name] ?? this.default];
    if (isMissing(value)) return isDeepStrictEqual(value, found);
    if (this.beside.same) return this.beside.same(value, found ?? undefined, observed as State, names);
    return this.#options.same?.(value, found ?? undefined) ?? isDeepStrictEqual(value, found);
  }

  /** Returns whether the value must be hidden even if the program does not mark it as secret. */
  isSecret(value: unknown): boolean {
    if (this.kind === "shownOnce") return value !== undefined;
    if (isMissing(value) || !isKnown(value)) return false;
    return this.isAlwaysSecret || (this.#options.secret?.(value) ?? false);
  }

  get isAlwaysSecret(): boolean {
    return this.kind === "writeOnly" || this.kind === "shownOnce";
  }

  get mayBeSecret(): boolean {
    return this.isAlwaysSecret || this.#options.secret !== undefined;
  }

  /** Returns a value as messages show it. */
  inMessages(value: unknown): unknown {
    return this.isSecret(value) ? "[secret]" : value;
  }

  // What the program says

  /** Returns what the program wants: the default if it has removed the property, `undefined` if it never set it. */
  wanted(news: Properties, oldInputs: Properties): unknown {
    if (this.kind === "upheld") return this.upheld;
    const isRemoved = oldInputs[this.name] !== undefined && !isFilledInArgument(oldInputs, this.name);
    return news[this.name] ?? (isRemoved ? this.default : undefined);
  }

  /** Returns what is wrong with the program's value, which has the right type. */
  problemWith(value: unknown, account: string): Problem | undefined {
    if (isMissing(value)) return undefined;
    const problem = this.#options.valid?.(value, account);
    return typeof problem === "string" ? { property: this.name, reason: problem } : problem;
  }

  /** Returns warnings about a value that an object gets. */
  warnings(value: unknown): readonly string[] {
    return isMissing(value) || !isKnown(value) ? [] : (this.#options.warns?.(value) ?? []);
  }

  /** Returns what users learn of a trigger's first value, or of a trigger without one; `undefined` for other kinds. */
  atFirst(hasValue: boolean): string | undefined {
    return this.#options.atFirst?.(hasValue);
  }

  /** Returns why an object with this value cannot be created now. */
  async preflight(
    news: Properties,
    context: ResourceContext & { readonly replaced: unknown },
    gone: string | undefined,
  ): Promise<(Problem & Pick<PreflightFailure, "isOfCredential">) | undefined> {
    const value = news[this.name];
    if (isMissing(value) || !isKnown(value)) return undefined;
    return this.#options.preflight?.(value, { ...context, gone, beside: news });
  }

  /** Returns what is lost if this property replaces the object. */
  async lossByReplacing(wanted: unknown, context: Lost): Promise<string | undefined> {
    return this.beside.loses?.(wanted, context);
  }

  // What the state holds

  /**
   * Returns whether the values lack a property that the state holds only while the program sets it. A state without it
   * does not say what the platform has, so an update sends the wanted value.
   */
  isLeftOutOf(values: Properties): boolean {
    return this.isRecordedIfSet && isMissing(values[this.name]);
  }

  /**
   * Returns whether the program has not set a property that only the provider uses since the object was imported. Nobody
   * knows whether its first value then is a change, so the value does not replace the object.
   */
  isUnsetSinceImport({ oldInputs, state }: { readonly oldInputs: Properties; readonly state: State }): boolean {
    if (!this.isLocal || state[IMPORTED] !== true) return false;
    return oldInputs[this.name] === undefined && state[this.name] === undefined;
  }

  /**
   * Returns whether the new value of a trigger is recorded without causing an action. A trigger acts when its value
   * changes, but not when the value is added (for example after an import) or removed.
   */
  isOnlyRecorded({ state, news }: { readonly state: Properties; readonly news: Properties }): boolean {
    return this.kind === "trigger" && (this.isDefault(state[this.name]) || this.isDefault(news[this.name]));
  }

  /**
   * Returns the value to record. A value that means what the program says is spelled as in the program. What the platform
   * does not show keeps the value in `prior`.
   */
  record(observed: State, news: Properties, prior: Properties): unknown {
    const [found, wanted, before] = [observed[this.name], news[this.name], prior[this.name]];
    if (this.kind === "createOnly") return before;
    if (this.isLocal) return wanted;
    if (this.kind === "shownOnce") return found ?? before;
    if (!this.isInput) return found;
    if (this.isLeftOutOf(news)) return undefined;
    return this.#keepsSpelling(wanted, observed) ? wanted : found;
  }

  #keepsSpelling(wanted: unknown, observed: State): boolean {
    if (isMissing(wanted) || this.isLeftOutOf(observed) || !this.isEqual(wanted, observed)) return false;
    return this.#options.keeps?.(wanted, observed[this.name] ?? undefined) ?? true;
  }

  /** Returns both values as messages show them. Values that the platform never shows are described, not quoted. */
  difference({ state, news }: { readonly state: State; readonly news: Properties }): ShownDifference {
    const { describeValue } = this.#options;
    const reference = state.deletedAt === undefined ? this.references : undefined;
    const target = reference?.target(state);
    const referred = reference?.isId(String(news[this.name])) ? target?.id : target?.name;
    const shown = (value: unknown) =>
      describeValue ? describeValue(value ?? undefined, state) : this.inMessages(value);
    return {
      property: this.name,
      // A reference is shown as the program writes it, by id or by name.
      is: shown(referred ?? state[this.name]),
      wanted: shown(news[this.name]),
      ...(describeValue ? { isDescribed: true } : {}),
    };
  }
}

const UNDECLARED = { kind: "output", schema: z.unknown(), options: { describe: "" } } as const;

/** The properties of a resource: all inputs, and then all outputs. */
export class PropertyList implements Iterable<Property> {
  readonly inputs: readonly Property[];
  readonly outputs: readonly Property[];
  readonly #byName: ReadonlyMap<string, Property>;

  constructor(readonly all: readonly Property[]) {
    this.inputs = all.filter(({ isInput }) => isInput);
    this.outputs = all.filter(({ isInput }) => !isInput);
    this.#byName = new Map(all.map((property) => [property.name, property]));
  }

  /** Returns the property with this name. One that nobody declares counts as an output. */
  get(name: string): Property {
    return this.#byName.get(name) ?? new Property(name, UNDECLARED);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns the state to record from the observed values, what the program wants, and what was recorded before. */
  record(observed: State, news: Properties, prior: Properties): State {
    const recorded = this.all.map((property) => [property.name, property.record(observed, news, prior)]);
    const imported = observed[IMPORTED] ?? prior[IMPORTED];
    return present({ ...observed, ...Object.fromEntries(recorded), [IMPORTED]: imported });
  }

  /** Removes the properties that the state holds only while the program sets them, and that it does not set. */
  withoutLeftOut(state: Properties, news: Properties): Properties {
    return Object.fromEntries(Object.entries(state).filter(([name]) => !this.get(name).isLeftOutOf(news)));
  }

  /** Names of the outputs that the platform shows only when the object is created. */
  get shownOnce(): string[] {
    return this.outputs.filter(({ kind }) => kind === "shownOnce").map(({ name }) => name);
  }

  /** Returns whether the program gives a new object content of its own. */
  hasContent(news: Properties): boolean {
    return this.inputs.some(({ name, isContent }) => isContent && news[name] !== undefined);
  }

  hasInput(name: string): boolean {
    return this.#byName.get(name)?.isInput === true;
  }

  [Symbol.iterator](): Iterator<Property> {
    return this.all[Symbol.iterator]();
  }
}
