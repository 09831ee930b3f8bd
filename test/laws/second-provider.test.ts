import { test } from "vitest";
import { laws } from "../../kit/laws/laws";
import { full } from "../full";
import { secondProvider } from "./second-provider/subject";

for (const { name, run } of laws(secondProvider, { thorough: full })) test(name, run);
