import { afterAll, test } from "vitest";
import { full } from "../full";
import { stopAll, subject } from "./dbplatform";
import { laws } from "./laws";

afterAll(stopAll);

for (const { name, run } of laws(subject, { thorough: full })) test(name, run);
