// @module-tag clear-messages

import { expect, test } from "vitest";
import { create } from "../../kit/steps/create";
import { planCreate } from "../../kit/steps/plan";
import { readManaged } from "../../kit/steps/read";
import { UNREADABLE_ORGANIZATION } from "../../provider/client/messages";
import { organizationTokenNeeded } from "../../provider/permissions/messages";
import { database } from "../../provider/resources/database/database";
import { apiToken } from "../../provider/resources/token/api-token";
import { TOKEN_IN_OTHER_STACK } from "../../provider/resources/token/messages";
import { type LifecycleFixture, lifecycleFixture } from "./lifecycle-fixture";

const groupScoped = ({ api }: LifecycleFixture) =>
  api.token({ organization: "acme", group: "default", scopes: ["full-access"] });

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    ({ message }) => message,
  );

test("explains a missing `organizationId`, whatever the step", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(database, { name: "orders", group: "default" }, here.context);
  const context = here.again({}, { apiToken: await groupScoped(here) });
  const { answer, advice } = UNREADABLE_ORGANIZATION;
  const explanation = `${answer}. ${advice}`;
  const plan = (name: string) => messageOf(planCreate(database, { name, group: "default" }, context));
  expect(await Promise.all([plan("stock"), plan("carts")])).toEqual([explanation, explanation]);
  expect(await messageOf(readManaged(database, { id, inputs: {}, state }, context))).toBe(explanation);
  expect(await messageOf(create(database, { name: "stock", group: "default" }, context))).toBe(explanation);
});

test("says that an API token belongs in a stack of its own", async () => {
  const here = await lifecycleFixture();
  const { id, state } = await create(apiToken, { name: "ci" }, here.context);
  const { organizationId } = here.api;
  const context = here.again({}, { apiToken: await groupScoped(here), organizationId });
  const { groupId: pinnedTo = "" } = context.platform.platform.credential;
  expect(await messageOf(readManaged(apiToken, { id, inputs: {}, state }, context))).toContain(
    organizationTokenNeeded({ action: "list API tokens", pinnedTo, wayOut: TOKEN_IN_OTHER_STACK }),
  );
});
