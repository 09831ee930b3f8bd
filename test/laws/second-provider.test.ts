import { test } from "vitest";
import { d1 } from "../../examples/provider/provider";
import { laws } from "../../kit/laws/laws";
import { secondProvider } from "./second-provider";

for (const { name, run } of laws(secondProvider(d1), { thorough: true })) test(name, run);
