import { expect, test } from "vitest";
import { logger } from "../../platform/reference/journal/log";
import { NOON } from "./world";

test.each(["json", "text"] as const)(
  "logs each request on a single line in %s format, even if names contain control characters",
  (format) => {
    let written = "";
    const write = (text: string) => {
      written += text;
    };
    const caller = { user: "ada\nmallory\u001b[2J", token: { id: "1", name: "ci\n" } };
    logger(format, { write })?.({ time: NOON, method: "GET", path: "/v1/user", status: 200, caller }, 1.26);
    expect(written.slice(0, -1)).not.toMatch(/\p{Cc}/u);
    expect(written).toMatch(/1\.3.*\n$/);
  },
);
