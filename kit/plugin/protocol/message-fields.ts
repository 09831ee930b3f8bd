import { FIXED64, LENGTH_DELIMITED, tagOf, VARINT, WireReader, WireWriter } from "./wire";

/** Defines how values of one type are read and written, without the tag in front of each value. */
interface Kind<Value> {
  readonly wireType: number;
  read(source: WireReader): Value;
  write(target: WireWriter, value: Value): void;
}

/** A field of a message. `Value` is the type of the field's content; for a repeated field, it is an array. */
interface Field<Value> {
  readonly tag: number;
  // biome-ignore lint/suspicious/noExplicitAny: a repeated field has the kind of its items.
  readonly kind: Kind<any>;
  readonly isRepeated: boolean;
  /** The field's value if the message omits the field. */
  readonly absent: Value;
}

// biome-ignore lint/suspicious/noExplicitAny: field types differ, and `Values` maps each field to its type.
type Fields = Readonly<Record<string, Field<any>>>;

type Values<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never };

/** Encodes and decodes one type of Protocol Buffers message. */
export interface Message<Content> {
  /**
   * Decodes a message and skips unknown fields.
   *
   * @throws Error if the bytes are malformed.
   */
  decode(bytes: Buffer): Content;
  /** Encodes a message. Omitted fields and default values are not written, because the receiver adds the defaults. */
  encode(content: Partial<Content>): Buffer;
}

export type ContentOf<Of> = Of extends Message<infer Content> ? Content : never;

/** Defines a message type by the numbers and types of its fields. */
export function message<const Of extends Fields>(fields: Of): Message<Values<Of>> {
  const named: readonly [name: string, field: Field<unknown>][] = Object.entries(fields);
  const byTag: (readonly [name: string, field: Field<unknown>])[] = [];
  for (const [name, field] of named) byTag[field.tag] = [name, field];
  const absent = Object.fromEntries(named.map(([name, field]) => [name, field.absent]));

  return {
    decode(bytes) {
      const source = new WireReader(bytes);
      const content: Record<string, unknown> = { ...absent };
      while (!source.isAtEnd) {
        const tag = source.varint();
        const [name, field] = byTag[tag] ?? [];
        if (name === undefined || field === undefined) source.skip(tag);
        else if (field.isRepeated) {
          if (content[name] === field.absent) content[name] = [];
          (content[name] as unknown[]).push(field.kind.read(source));
        } else content[name] = field.kind.read(source);
      }
      return content as Values<Of>;
    },
    encode(content) {
      const target = new WireWriter();
      for (const [name, { tag, kind, isRepeated, absent }] of named) {
        const value = content[name];
        if (value === undefined || value === absent) continue;
        for (const item of isRepeated ? (value as unknown[]) : [value]) {
          target.varint(tag);
          kind.write(target, item);
        }
      }
      return target.bytes;
    },
  };
}

const TEXT: Kind<string> = {
  wireType: LENGTH_DELIMITED,
  read: (source) => source.string(),
  write: (target, value) => target.string(value),
};

const FLAG: Kind<boolean> = {
  wireType: VARINT,
  read: (source) => source.varint() !== 0,
  write: (target, value) => target.varint(Number(value)),
};

const INTEGER: Kind<number> = {
  wireType: VARINT,
  read: (source) => source.integer(),
  write: (target, value) => target.varint(value),
};

const DOUBLE: Kind<number> = {
  wireType: FIXED64,
  read: (source) => source.double(),
  write: (target, value) => target.double(value),
};

const BYTES: Kind<Buffer> = {
  wireType: LENGTH_DELIMITED,
  read: (source) => source.bytes(),
  write: (target, value) => target.raw(value),
};

const messageFieldKind = <Content>(of: Message<Content>): Kind<Partial<Content>> => ({
  wireType: LENGTH_DELIMITED,
  read: (source) => of.decode(source.bytes()),
  write: (target, value) => target.raw(of.encode(value)),
});

const singleField = <Value, Absent>(number: number, kind: Kind<Value>, absent: Absent): Field<Value | Absent> => ({
  tag: tagOf(number, kind.wireType),
  kind,
  isRepeated: false,
  absent,
});

const repeatedField = <Value>(number: number, kind: Kind<Value>): Field<readonly Value[]> => ({
  tag: tagOf(number, kind.wireType),
  kind,
  isRepeated: true,
  absent: [],
});

export const textField = (number: number): Field<string> => singleField(number, TEXT, "");
export const boolField = (number: number): Field<boolean> => singleField<boolean, boolean>(number, FLAG, false);
/** Defines an integer or enum field. Negative numbers can be read but not written. */
export const integerField = (number: number): Field<number> => singleField(number, INTEGER, 0);
export const doubleField = (number: number): Field<number> => singleField(number, DOUBLE, 0);
/**
 * Defines a bytes field. Some embedded messages are also declared as bytes, so that they are decoded only when needed.
 */
export const bytesField = (number: number): Field<Buffer | undefined> => singleField(number, BYTES, undefined);
export const messageField = <Content>(number: number, of: Message<Content>): Field<Partial<Content> | undefined> =>
  singleField(number, messageFieldKind(of), undefined);
export const textsField = (number: number): Field<readonly string[]> => repeatedField(number, TEXT);
export const messagesField = <Content>(number: number, of: Message<Content>): Field<readonly Partial<Content>[]> =>
  repeatedField(number, messageFieldKind(of));
