// @module-tag more

import { afterAll, test } from "vitest";
import { full } from "../full";
import { examples } from "../laws/examples";
import { interruptionLaws, objectLaws } from "../laws/laws";
import { stopPlatforms } from "../laws/platform";
import { realStack } from "./real-stack";

afterAll(stopPlatforms);

const databases = (examples.Database ?? []).map(({ needs: _, changedArgs: { group, ...other }, ...example }) => ({
  ...example,
  changedArgs: other,
}));

const of = [{ Database: databases }, { open: realStack }] as const;

for (const { name, run } of [...objectLaws(...of), ...interruptionLaws(...of)])
  test.runIf(full)(`on the real engine, ${name}`, run);
