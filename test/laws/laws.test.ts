import { afterAll, test } from "vitest";
import { laws } from "../../kit/laws/laws";
import { full } from "../full";
import { stopAll, subject } from "./subject";

afterAll(stopAll);

for (const { name, run } of laws(subject, { thorough: full })) test(name, run);
