import * as z from "zod";

/** The known values of a string property, offered by editors and SDKs. */
export interface Vocabulary {
  /** Name of the type in the SDKs. */
  readonly name: string;
  readonly description: string;
  /** Description of each value. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Defines a string with suggested values. Other values are accepted too, because the platform decides (decision 45).
 */
export const word = (vocabulary: Vocabulary): z.ZodString => z.string().meta({ vocabulary });
