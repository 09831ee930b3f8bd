import * as z from "zod";
import type { AnyResource } from "./definition";

/** An output that only deleted objects have: a time (RFC 3339). */
export const whileDeleted = (description: string) =>
  z.iso.datetime().optional().meta({ description, whileDeleted: true });

/** A secret output that the platform shows at creation and never again. */
export const shownOnce = (description: string) => z.string().meta({ description, shownOnce: true });

export const isWhileDeleted = ({ state }: AnyResource, property: string): boolean =>
  Boolean(state.shape[property]?.meta()?.whileDeleted);

/** Names of the outputs that the platform shows at creation and never again. */
export const shownOnceBy = ({ state }: Pick<AnyResource, "state">): string[] =>
  Object.keys(state.shape).filter((property) => state.shape[property]?.meta()?.shownOnce);
