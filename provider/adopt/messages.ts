import { readableInstant } from "../../kit/instant";
import type { Facts } from "../facts";

// Errors
export const missingStates = ({ option }: Facts<"option">) =>
  `${option} requires the states of all stacks, because an object in a missing state counts as unmanaged: files from \`pulumi stack export --file <file>\`, or - for standard input`;
export const JSON_OF_IMPORT_FILE = "--json requires --unmanaged or --deleted; the import file is always JSON";
export const FAIL_WITHOUT_LIST = "--fail-within requires --deleted";
export const incompleteList = ({
  types,
  canListOthers,
}: Facts<"canListOthers"> & { readonly types: readonly string[] }) =>
  `--fail-within cannot check every deleted object, because ${types.join(" and ")} could not be listed${canListOthers ? ". To check only types that can be listed, use --type" : ""}`;
export const INVALID_DURATION = "Write whole numbers with the units w, d, h, m, s: 7d, 12h, 1w3d.";
export const unsupportedType = ({ types }: { readonly types: readonly string[] }) =>
  `Supported types: ${types.join(", ")}.`;
export const unknownGroup = ({ group }: Facts<"group">) =>
  `group "${group}" does not exist, or this API token has no access to it`;
export const existingFile = ({ file }: Facts<"file">) => `${file} already exists; choose another file for --out`;
export const unwritableFile = ({ file, reason }: Facts<"file" | "reason">) => `could not write ${file}: ${reason}`;
const IMPORT_DECRYPTED =
  "`pulumi import --file <(pulumi stack export --show-secrets | npx pulumi-dbplatform adopt --from -)`";
export const PLAIN_TOKENS = `this state contains tokens in plain text, which are written neither to a file nor to a terminal. Run ${IMPORT_DECRYPTED}`;

// Omitted objects
export const UNLISTED = "the platform does not provide a list of them";
export const forbiddenList = ({ cause }: Facts<"cause">) => `this API token has no access (${cause})`;
export const UNKNOWN_AGE = "its age is unknown, because the audit log contains no entry with this id for its creation";
export const nameOfLaterDeletion = ({ type, id }: Facts<"type" | "id">) =>
  `another ${type} with this name was deleted later. To import this one as well, declare it with \`import: "${id}"\` and a different \`name\``;
export const missingArguments = ({ properties, id }: Facts<"id"> & { readonly properties: readonly string[] }) =>
  `the platform no longer returns its ${properties.map((property) => `\`${property}\``).join(" and ")}. To import it, declare it with \`import: "${id}"\``;
export const objectNotListed = ({ type }: Facts<"type">) =>
  `the platform lists no ${type} with a UUID from its state. If the platform has it, import it without --from`;
export const ownerNotListed = ({ type, wanted }: Facts<"type" | "wanted">) =>
  `it is for ${type} ${wanted}, which the platform does not list`;
export const NO_OBJECT_IN_STATE =
  "its state contains no token for a database or a group, and its id is neither the UUID nor the name of a database or group whose UUID is in its state";
export const SECRETS_ENCRYPTED = `its state contains encrypted secrets, and only a decrypted token can be recognized. If one of them is a token, run ${IMPORT_DECRYPTED}`;
export const TOKEN_UNREADABLE = "its state does not contain a token. Declare a new one";
export const TOKEN_PERMISSIONS = "its permissions, such as attaching databases, cannot be declared. Declare a new one";
export const TOKEN_WITHOUT_END = "its state does not contain when it expires. Declare a new one";

// Notes
export const unlistedTypes = ({ types, reason }: Facts<"reason"> & { readonly types: readonly string[] }) =>
  `Could not list ${types.join(", ")}: ${reason}.`;
export const skippedObject = ({ type, name, id, reason }: Facts<"type" | "name" | "id" | "reason">) =>
  `Skipped ${type} "${name}" (${id}): ${reason}.`;
export const sharedName = ({ name }: Facts<"name">) =>
  `Two objects are named "${name}", so Pulumi generates a program that contains ids instead of references. Each \`parent\` still orders the resources.`;
export const pendingRestorations = ({ count }: { readonly count: number }) =>
  `The first \`pulumi up\` after the import restores ${count} deleted ${count === 1 ? "object" : "objects"}.`;
export const writtenImportFile = ({ file, count }: Facts<"file"> & { readonly count: number }) =>
  count === 0
    ? `${file} contains no resources, so there is nothing to import.`
    : `${file} contains ${count} ${count === 1 ? "resource" : "resources"}. To import, run \`pulumi import --file ${file}\`.`;

// Deleted objects
export const hoursLeft = ({ secondsLeft }: { readonly secondsLeft: number }) =>
  secondsLeft < 3600 ? "<1" : String(Math.floor(secondsLeft / 3600));

export const restorableBriefly = (
  facts: Facts<"type" | "name" | "id" | "restorableUntil"> & {
    readonly secondsLeft: number;
    readonly stacks?: readonly string[] | undefined;
  },
) => {
  const { type, name, id, restorableUntil, secondsLeft, stacks } = facts;
  const left = `${hoursLeft({ secondsLeft })} ${secondsLeft < 7200 ? "hour" : "hours"} left`;
  const declaration = `declare it with \`import: "${id}"\``;
  const advice = stacks?.length
    ? `run \`pulumi up\` in stack ${stacks.join(" or ")}`
    : stacks
      ? declaration
      : `run \`pulumi up\` in the stack that declares it, or ${declaration}`;
  return `${type} "${name}" (${id}) can be restored only until ${readableInstant(restorableUntil)} (${left}). To restore it, ${advice}.`;
};

export const restoringRefused = ({ reason }: Facts<"reason">) =>
  `The platform refuses to restore these objects at present: ${reason}.`;
export const NOTHING_DELETED = "No deleted objects found that can be restored.";
export const restoredWithGroup = ({ group }: Facts<"group">) => `${group} (restored with it)`;
export const IN_NO_STACK = "none";

// Unmanaged objects
export const NOTHING_UNMANAGED = "No unmanaged objects found.";
export const deletion = ({ deletedAt }: Facts<"deletedAt">) => `deleted at ${deletedAt}`;
