import { test } from "vitest";
import { d1 } from "../../examples/provider/provider";
import { laws } from "../../kit/laws/laws";
import { full } from "../full";
import { secondProvider } from "./second-provider";

for (const { name, run } of laws(secondProvider(d1), { thorough: full })) test(name, run);
