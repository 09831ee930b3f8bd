import { afterAll, test } from "vitest";
import { environmentOf } from "../engine/engine-fixture";
import { stopAll, subject } from "./dbplatform";
import { laws } from "./laws";
import { realEngine } from "./real-engine";

afterAll(stopAll);

const { provider, examples } = subject;
const type = "Database";

const onRealEngine: typeof subject = {
  ...subject,
  provider: { ...provider, resources: provider.resources.filter((resource) => resource.type === type) },
  examples: {
    [type]: (examples[type] ?? []).map(({ needs: _, other: { group, ...other }, ...example }) => ({
      ...example,
      other,
    })),
  },
  engine: (url, { api }) => realEngine(provider.name, { ...environmentOf(api), DBPLATFORM_BASE_URL: url }),
};

for (const { name, run } of laws(onRealEngine)) test(`on the real engine, ${name}`, run);
