import { expect, test } from "vitest";
import { currentPluginConfiguration } from "../../kit/plugin/configuration";
import { settings as known } from "../../provider/settings";

const URN = "urn:pulumi:dev::shop::pulumi:providers:dbplatform::";
const environment = { PULUMI_CONFIG: JSON.stringify({ organization: "acme", apiToken: "new" }) };

test.each([
  ["a default provider: those of `pulumi config`", "default_0_1_0", { organization: "acme", apiToken: "new" }, false],
  ["a provider that may be the program's: its own", "default", { organization: "acme", apiToken: "old" }, true],
  ["an explicit provider: only its own", "globex", { apiToken: "old" }, true],
])("uses the current settings of %s", (_, name, settings, isRecorded) => {
  const configured = { args: { apiToken: "old" }, urn: URN + name, id: "0c54a2a2" };
  expect(currentPluginConfiguration(known, configured, environment)).toEqual({
    settings,
    urn: URN + name,
    isRecorded,
    isNew: false,
  });
  expect(currentPluginConfiguration(known, { ...configured, id: "" }, environment)).toMatchObject({
    settings,
    isRecorded: false,
    isNew: true,
  });
});

test("uses settings that moved from `pulumi config` to the environment, and recorded ones that are nowhere else", () => {
  const args = { apiToken: "old", organization: "acme", allowInsecure: "true" };
  const moved = { PULUMI_CONFIG: '{"organization":"acme"}', DBPLATFORM_API_TOKEN: "new", DBPLATFORM_BASE_URL: "" };
  const found = currentPluginConfiguration(known, { args, urn: `${URN}default_0_1_0`, id: "0c54a2a2" }, moved);
  expect(found).toMatchObject({ settings: { ...args, apiToken: "new" }, isRecorded: true });
  const { allowInsecure, ...rest } = args;
  expect(
    currentPluginConfiguration(known, { args: rest, urn: `${URN}default_0_1_0`, id: "0c54a2a2" }, moved).isRecorded,
  ).toBe(false);
  const explicit = currentPluginConfiguration(known, { args, urn: `${URN}globex`, id: "0c54a2a2" }, moved);
  expect(explicit).toMatchObject({ settings: args, isRecorded: true });
});

test.each([undefined, "", "[", "null"])("keeps the recorded settings if `PULUMI_CONFIG` is %j", (PULUMI_CONFIG) => {
  const args = { apiToken: "old", version: "0.1.0" };
  const found = currentPluginConfiguration(
    known,
    { args, urn: `${URN}default_0_1_0`, id: "0c54a2a2" },
    { PULUMI_CONFIG },
  );
  expect(found).toMatchObject({ settings: args, isRecorded: true });
});
