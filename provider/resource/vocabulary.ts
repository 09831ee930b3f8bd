import * as z from "zod";

/** The values of a text that are known here, for editors and SDKs. */
export interface Vocabulary {
  /** Of the type in the SDKs. */
  readonly name: string;
  readonly description: string;
  /** What each value means. */
  readonly values: Readonly<Record<string, string>>;
}

/** A text whose known values are offered, and every other one taken: the platform decides (decision 45). */
export const word = (vocabulary: Vocabulary): z.ZodString => z.string().meta({ vocabulary });
