import { expect, test } from "vitest";
import { create } from "../../provider/lifecycle/create";
import { database } from "../../provider/resources/database/database";
import { group } from "../../provider/resources/group/group";
import { clientOf } from "../engine/engine-fixture";
import { lifecycleFixture } from "./lifecycle-fixture";

const organizationSlug = "acme";

test("describes a deleted group with its own databases and location, not those of another group", async () => {
  const { api, context, again } = await lifecycleFixture();
  const outside = clientOf(api, api.apiToken);
  const made = [];
  for (const [name, location] of [
    ["east", "aws-us-east-1"],
    ["west", "aws-us-west-2"],
    ["empty", "aws-eu-west-1"],
  ] as const) {
    const { id, state } = await create(group, { name, location }, context);
    const inside = name === "empty" ? undefined : await create(database, { name: `in-${name}`, group: name }, context);
    made.push({ id, state, inside, location });
  }
  for (const { state } of made) await outside.deleteGroup({ organizationSlug, groupName: String(state.name) });

  for (const { id, state, inside, location } of made) {
    const reading = await group.read(id, { name: state.name }, "platform", again().platform);
    expect(reading.status).toBe("deleted");
    const message = "message" in reading ? reading.message : "";
    expect(message).toContain(`Group "${state.name}" (${id}) was deleted on `);
    if (inside) {
      expect(message).toContain(`with these databases and their data: "in-${state.name}" (${inside.id}).`);
      expect(reading).toMatchObject({ state: { location } });
    } else expect(message).not.toContain("with these databases");
  }
});
