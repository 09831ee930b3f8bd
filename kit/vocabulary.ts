import * as z from "zod";

/** The known values of a string property, which editors and SDKs suggest. */
export interface Vocabulary {
  readonly name: string;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Defines a string property with suggested values. Other values are accepted too, because the platform decides which
 * values are valid (decision 45).
 */
export const word = (vocabulary: Vocabulary): z.ZodString => z.string().meta({ vocabulary });
