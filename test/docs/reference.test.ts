import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declaredOperationsOf } from "../../provider/permissions/permissions";
import { resources } from "../../provider/resources/list";
import { root } from "../../tools/run";

const page = (type: string) => readFileSync(join(root, "docs/reference", `${type}.md`), "utf8");

test.each(resources.map((resource) => [resource.type, declaredOperationsOf(resource).delete !== undefined] as const))(
  "the page of %s says that `pulumi up` creates a new one only if the platform can delete the object (%s)",
  (type, isDeletable) => {
    const [, text = ""] = page(type).split("## Deleted outside of Pulumi");
    expect(/`pulumi up` creates a new one/.test(text)).toBe(isDeletable);
  },
);
