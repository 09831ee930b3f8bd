import { afterAll, test } from "vitest";
import { full } from "../full";
import { examples } from "./examples";
import { interruptionLaws } from "./laws";
import { stopPlatforms } from "./platform";

afterAll(stopPlatforms);

for (const { name, run } of interruptionLaws(examples, { thorough: full })) test(name, run);
