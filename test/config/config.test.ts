// @module-tag secrets-stay-secret
// @module-tag failures-and-interruptions
// @module-tag clear-messages

import { expect, test } from "vitest";
import { Instance } from "../../kit/instance";
import { UNKNOWN } from "../../kit/lifecycle/properties";
import { missingSettings } from "../../kit/messages";
import { MissingSettings, settingProblems, WrongSettings } from "../../kit/settings";
import { baseUrlWithoutScheme, invalidBaseUrl, unusableApiToken, WITHOUT_ACCOUNT } from "../../provider/messages";
import { dbplatform } from "../../provider/provider";
import { settings } from "../../provider/settings";
import { REQUIRED_SETTINGS } from "./required-settings";

const given = { organization: "acme", apiToken: "token", baseUrl: "https://platform.example" };

test.each([
  ["https", { baseUrl: "https://platform.example" }],
  ["https with a port", { baseUrl: "https://platform.example:8443/" }],
  ["http to this machine", { baseUrl: "http://127.0.0.1:8080" }],
  ["http to this machine by name", { baseUrl: "http://localhost:8080" }],
  ["http to this machine, IPv6", { baseUrl: "http://[::1]:8080" }],
  ["http to another machine, when it is allowed", { baseUrl: "http://platform.example", allowInsecure: true }],
  [
    "allowed http to another machine, as `pulumi config set` and generated SDKs write it",
    { baseUrl: "http://platform.example", allowInsecure: "true" },
  ],
  ["an unknown value", { baseUrl: UNKNOWN }],
])("accepts %s in `baseUrl`", (_, more) => {
  expect(settingProblems(settings, { ...given, ...more })).toEqual([]);
});

test.each([
  ["baseUrl", "an http address that points to another machine", { baseUrl: "http://platform.example" }],
  ["baseUrl", "a host that only looks like this machine", { baseUrl: "http://127.0.0.1.example" }],
  ["baseUrl", "text that is not an address", { baseUrl: "platform" }],
  ["baseUrl", "another protocol", { baseUrl: "ftp://platform.example" }],
  ["baseUrl", "a path", { baseUrl: "https://platform.example/v1/" }],
  ["baseUrl", "a password", { baseUrl: "https://user:secret@platform.example" }],
  ["baseUrl", "a password but no scheme", { baseUrl: "user:secret@platform.example" }],
  ["baseUrl", "a password and another protocol", { baseUrl: "ftp://user:secret@platform.example" }],
  ["organizationId", "a UUID in uppercase", { organizationId: "0A28102D-6906-11EE-8553-EAA7715AEAF2" }],
  ["driftDetection", "an unknown value", { driftDetection: "sometimes" }],
  ["allowInsecure", "text that is not a boolean", { allowInsecure: "perhaps" }],
  ["organisation", "a misspelled name", { organisation: "acme" }],
])("rejects the setting `%s` with %s", (property, _, more) => {
  const problems = settingProblems(settings, { ...given, ...more });
  expect(problems.map((problem) => problem.property)).toEqual([property]);
  expect(problems[0]?.reason).not.toContain("secret");
});

test.each([
  ["platform.example", "https://platform.example"],
  ["platform.example:8443", "https://platform.example:8443"],
  ["platform.example/v1", "https://platform.example"],
  ["//platform.example", "https://platform.example"],
  ["localhost:8080", "http://localhost:8080"],
  ["127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["not an address", undefined],
])("rejects `baseUrl` %s, which lacks a scheme, and suggests the full address", (baseUrl, whole) => {
  const [problem] = settingProblems(settings, { ...given, baseUrl });
  expect(problem?.reason).toBe(
    whole ? baseUrlWithoutScheme({ text: baseUrl, corrected: whole }) : invalidBaseUrl({ text: baseUrl }),
  );
});

test.each([
  ["allowInsecure", "perhaps", "must be a boolean, not a string: write true or false"],
  ["driftDetection", "sometimes", 'must be "always" or "on-refresh", not another string'],
  ["apiToken", 7, "must be a string, not a number: write it in quotation marks"],
])("rejects %s of the wrong type, and shows what to write", (name, value, reason) => {
  expect(settingProblems(settings, { ...given, [name]: value })).toEqual([{ property: name, reason }]);
});

test.each([
  ["a line break", "eyJhbGci\nOiJFZERTQSJ9", { codePoint: "000A", position: 9 }],
  ["an ellipsis", "eyJhbGci…", { codePoint: "2026", position: 9 }],
  ["a zero-width space", "\u{200b}eyJhbGci", { codePoint: "200B", position: 1 }],
])("names the character if the API token contains %s, which no request can carry", (_, apiToken, found) => {
  const reason = unusableApiToken(found);
  expect(settingProblems(settings, { ...given, apiToken })).toEqual([{ property: "apiToken", reason }]);
  for (const [settings, environment] of [
    [{ ...given, apiToken }, {}],
    [{ ...given, apiToken: undefined }, { DBPLATFORM_API_TOKEN: apiToken }],
  ] as const)
    expect(() => new Instance(dbplatform, settings, environment)).toThrow(
      new WrongSettings("dbplatform", [{ property: "apiToken", reason }]),
    );
  expect(reason).not.toContain("eyJ");
});

test("reads missing settings from the environment, and prefers configured settings", () => {
  const environment = {
    DBPLATFORM_ORGANIZATION: "globex",
    DBPLATFORM_API_TOKEN: "token\n",
    DBPLATFORM_BASE_URL: "https://platform.example",
  };
  expect(new Instance(dbplatform, {}, environment).account).toBe("globex");
  expect(new Instance(dbplatform, { organization: "acme" }, environment).account).toBe("acme");
});

test("names all missing settings in one error", () => {
  const missing = (() => {
    try {
      return new Instance(dbplatform, { organization: "" }, {});
    } catch (thrown) {
      return thrown;
    }
  })() as MissingSettings;
  expect(missing).toBeInstanceOf(MissingSettings);
  expect(missing.settings.map(({ name }) => name)).toEqual(["organization", "apiToken", "baseUrl"]);
  expect(() => new Instance(dbplatform, { ...given, unheard: "of" }, {})).toThrow(WrongSettings);
});

test("shows the public address wherever the missing address is asked for, and never uses it by default", () => {
  expect(() => new Instance(dbplatform, { organization: "acme", apiToken: "t" }, {})).toThrow(
    "pulumi config set dbplatform:baseUrl https://api.turso.tech # or DBPLATFORM_BASE_URL",
  );
  expect(dbplatform.settings.schema.shape.baseUrl.description).toContain("`https://api.turso.tech`");
});

test("names a way to try the provider only in a stack that was never deployed", () => {
  for (const isNew of [true, false]) {
    const message = missingSettings({
      provider: "dbplatform",
      missing: REQUIRED_SETTINGS,
      isRecorded: false,
      advice: isNew ? WITHOUT_ACCOUNT : undefined,
    });
    expect(() => new Instance(dbplatform, {}, {}, { isNew, isRecorded: false })).toThrow(
      expect.objectContaining({ message }),
    );
  }
});
