import { test } from "vitest";
import { full } from "../full";
import { laws } from "./laws";
import { secondProvider } from "./second-provider/subject";

for (const { name, run } of laws(secondProvider, { thorough: full })) test(name, run);
