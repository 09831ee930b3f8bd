import { describe, expect, test } from "vitest";
import { isLocation } from "../../platform/values/location";
import { raw } from "./calling";
import { PEOPLE } from "./people";
import { world } from "./world";

const FLY =
  "ams, arn, atl, bog, bom, bos, cdg, den, dfw, ewr, eze, fra, gdl, gig, gru, hkg, iad, jnb, lax, lhr, mad, mia, nrt, ord, otp, phx, qro, scl, sea, sin, sjc, syd, waw, yul, yyz".split(
    ", ",
  );
const AWS = "aws-ap-northeast-1, aws-ap-south-1, aws-eu-west-1, aws-us-east-1, aws-us-east-2, aws-us-west-2".split(
  ", ",
);

describe("the locations", () => {
  test.each([
    ["aws" as const, AWS],
    ["fly" as const, FLY],
  ])("§4.5 come from the map that the seed selects: %s", async (locations, codes) => {
    const { owner } = await world({ seed: { ...PEOPLE, locations } });
    expect(Object.keys((await owner.ok("listLocations", {})).locations)).toEqual(codes);
  });

  test("wire-facts 6 are grouped by cloud provider, with or without an organization", async () => {
    const { api, owner, slug } = await world();
    const { locations } = await owner.ok("listOrganizationLocations", slug);
    expect(Object.entries(locations).map(([platform, map]) => [platform, Object.keys(map)])).toEqual([
      ["aws", AWS],
      ["fly", FLY],
    ]);
    // Sends the request as a user without a personal account, because the response must not depend on one.
    const credential = await api.token({ organization: null });
    expect(await (await raw(`${api.url}/v2/locations`, { credential })).json()).toEqual({ locations });
  });

  test("wire-facts 6 are each listed with the three closest locations of the same cloud provider", async () => {
    const { owner } = await world();
    const closest = async (locationCode: string) =>
      (await owner.ok("retrieveLocation", { locationCode })).location.closest.map(({ code }) => code);
    expect(await closest("lhr")).toEqual(["cdg", "ams", "fra"]);
    expect(await closest("syd")).toEqual(["sin", "hkg", "nrt"]);
    expect(await closest("aws-us-east-1")).toEqual(["aws-us-east-2", "aws-us-west-2", "aws-eu-west-1"]);
    const { location } = await owner.ok("retrieveLocation", { locationCode: "ams" });
    expect(location).toMatchObject({ code: "ams", description: "Amsterdam, Netherlands" });
  });

  test("wire-facts 13.13 can all hold groups, and appear in hostnames unless their code has three letters", async () => {
    const { owner, slug } = await world();
    const hostOf = async (name: string, location: string) => {
      await owner.ok("createGroup", { ...slug, body: { name, location } });
      const { database } = await owner.ok("createDatabase", { ...slug, body: { name, group: name } });
      return database.Hostname;
    };
    expect(await hostOf("edge", "ams")).toBe("edge-acme.dbplatform.example");
    expect(await hostOf("core", "aws-eu-west-1")).toBe("core-acme.aws-eu-west-1.dbplatform.example");
    expect([...AWS, ...FLY].every(isLocation)).toBe(true);
  });
});

test("wire-facts 11.2 tells the official CLI that no newer version is available", async () => {
  const { api } = await world();
  const answer = await raw(`${api.url}/releases/latest`);
  expect([answer.status, await answer.json()]).toEqual([200, { latest: "v0.0.0" }]);
});
