import * as z from "zod";
import type { PropertyTraits } from "../../../kit/resource/traits";
import type { Vocabulary } from "../../../kit/resource/vocabulary";
import { ALL_EXTENSIONS, EXTENSIONS } from "../../../platform/values/extension";
import { sameSet } from "../../../platform/values/set";
import { EXTENSIONS_CHANGE_ADVICE, extensionBesideAll } from "./messages";

const vocabulary: Vocabulary = {
  name: "Extension",
  description: "An extension of the SQL engine.",
  values: {
    [ALL_EXTENSIONS]: "Every extension.",
    ...Object.fromEntries(EXTENSIONS.map((name) => [name, `The extension \`${name}\`.`])),
  },
};

export const Extensions = z.array(z.enum([ALL_EXTENSIONS, ...EXTENSIONS]).meta({ vocabulary }));

type Extensions = z.output<typeof Extensions>;

export const extensionsTraits: PropertyTraits<Extensions, object> = {
  createOnly: EXTENSIONS_CHANGE_ADVICE,
  semantics: {
    validate(wanted) {
      const beside = wanted.findIndex((name) => name !== ALL_EXTENSIONS);
      return wanted.includes(ALL_EXTENSIONS) && beside >= 0
        ? { property: `extensions[${beside}]`, reason: extensionBesideAll(ALL_EXTENSIONS) }
        : undefined;
    },
    semanticallyEqual: (wanted, observed = []) => sameSet(wanted, observed),
  },
};

/** Converts the extensions to the wire format, in which the string `all` means every extension (wire-facts 2.2). */
export const wireExtensions = (wanted: Extensions) =>
  wanted.includes(ALL_EXTENSIONS) ? ALL_EXTENSIONS : wanted.filter((name) => name !== ALL_EXTENSIONS);
