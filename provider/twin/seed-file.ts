import { Document } from "yaml";
import { seedOrigin } from "./messages";
import type { OrganizationSeed } from "./organization-seed";

const SCHEMA = "yaml-language-server: $schema=./node_modules/pulumi-dbplatform/dist/seed.schema.json";

/** Returns the text of a seed file. Its first lines say where the content comes from, and what is missing. */
export function seedFile({ seed, missing, readAt }: OrganizationSeed): string {
  const organization = seed.organizations[0]?.slug ?? "";
  const document = new Document(seed, { aliasDuplicateObjects: false });
  const comments = [SCHEMA, seedOrigin({ organization, readAt: readAt.toISOString() }), ...missing];
  // A control character could end the comment or change what a terminal shows.
  document.commentBefore = comments.map((line) => ` ${line.replaceAll(/\p{Cc}/gu, " ")}`).join("\n");
  return document.toString({ lineWidth: 0 });
}
