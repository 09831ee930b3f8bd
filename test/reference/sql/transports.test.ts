import { expect, test } from "vitest";
import { full, seeded } from "../../full";
import { type AnswerDifference, Comparison } from "./oracle/compare";
import { OverHttp } from "./oracle/protocol";
import { Random } from "./oracle/random";
import { scenario } from "./oracle/scenarios";
import { OverSocket } from "./oracle/socket";
import { sqlWorld } from "./sql";

const SCENARIOS = full ? 500 : 15;
const LENGTH = 20;

const SEED = seeded.seed ?? 1;

test("the same random requests have the same results over HTTP and over WebSockets", { tags: "more" }, async () => {
  const { database } = await sqlWorld();
  for (let seed = SEED; seed < SEED + SCENARIOS; seed += 1) {
    const [one, other] = [await database(`http-${seed}`), await database(`ws-${seed}`)];
    const comparison = new Comparison(
      new OverHttp({ url: one.url, headers: { Authorization: `Bearer ${one.token}` } }),
      new OverSocket({ url: other.url, headers: {} }, other.token),
    );
    const found: AnswerDifference[] = [];
    for (const turn of scenario(new Random(seed), LENGTH)) found.push(...(await comparison.play(turn)));
    expect(found, `TEST_SEED=${seed}`).toEqual([]);
  }
});
