import {
  bytesField,
  type ContentOf,
  double,
  flag,
  integer,
  many,
  message,
  one,
  repeatedText,
  text,
} from "./message-fields";

/**
 * Pulumi's messages, with only the fields that the provider uses. Names and field numbers come from proto/pulumi/
 * (provider.proto, plugin.proto, engine.proto, status.proto). Unless a comment says otherwise, a field of type `bytes`
 * holds a `google.protobuf.Struct`, which `decodeStructValues` and `encodeStructValues` convert.
 */

export const Empty = message({});

// The plugin
export const PluginInfo = message({ version: text(1) });
export const PluginAttach = message({ address: text(1) });
export const ProviderHandshakeRequest = message({ engineAddress: text(1) });
export const ProviderHandshakeResponse = message({
  acceptSecrets: flag(1),
  acceptResources: flag(2),
  acceptOutputs: flag(3),
  supportsAutonamingConfiguration: flag(4),
});
export const GetSchemaRequest = message({ version: integer(1) });
export const GetSchemaResponse = message({ schema: text(1) });
export const ConfigureRequest = message({ args: bytesField(2), id: text(7), urn: text(8) });
export const ConfigureResponse = message({
  acceptSecrets: flag(1),
  supportsPreview: flag(2),
  acceptResources: flag(3),
  acceptOutputs: flag(4),
  supportsAutonamingConfiguration: flag(5),
});

// Resources.
const CheckFailure = message({ property: text(1), reason: text(2) });
export const AutonamingMode = { PROPOSE: 0, ENFORCE: 1, DISABLE: 2 } as const;
const AutonamingOptions = message({ proposedName: text(1), mode: integer(2) });
export const CheckRequest = message({
  urn: text(1),
  olds: bytesField(2),
  news: bytesField(3),
  /** Raw bytes, not a Struct. */
  randomSeed: bytesField(5),
  name: text(6),
  type: text(7),
  autonaming: one(8, AutonamingOptions),
});
export const CheckResponse = message({ inputs: bytesField(1), failures: many(2, CheckFailure) });

export const DiffRequest = message({
  id: text(1),
  urn: text(2),
  olds: bytesField(3),
  news: bytesField(4),
  ignoreChanges: repeatedText(5),
  oldInputs: bytesField(6),
  type: text(8),
});
export const DiffChanges = { UNKNOWN: 0, NONE: 1, SOME: 2 } as const;
export const PropertyDiffKind = {
  ADD: 0,
  ADD_REPLACE: 1,
  DELETE: 2,
  DELETE_REPLACE: 3,
  UPDATE: 4,
  UPDATE_REPLACE: 5,
} as const;
const PropertyDiff = message({ kind: integer(1) });
const DetailedDiff = message({ key: text(1), value: one(2, PropertyDiff) });
export const DiffResponse = message({
  replaces: repeatedText(1),
  deleteBeforeReplace: flag(3),
  changes: integer(4),
  diffs: repeatedText(5),
  detailedDiff: many(6, DetailedDiff),
  hasDetailedDiff: flag(7),
});

export const CreateRequest = message({
  urn: text(1),
  properties: bytesField(2),
  timeout: double(3),
  preview: flag(4),
  type: text(6),
});
export const CreateResponse = message({ id: text(1), properties: bytesField(2), refreshBeforeUpdate: flag(3) });

export const ReadRequest = message({
  id: text(1),
  urn: text(2),
  properties: bytesField(3),
  inputs: bytesField(4),
  type: text(6),
  timeout: double(10),
});
export const ReadResponse = message({
  id: text(1),
  properties: bytesField(2),
  inputs: bytesField(3),
  refreshBeforeUpdate: flag(4),
});

export const UpdateRequest = message({
  id: text(1),
  urn: text(2),
  olds: bytesField(3),
  news: bytesField(4),
  timeout: double(5),
  ignoreChanges: repeatedText(6),
  preview: flag(7),
  oldInputs: bytesField(8),
  type: text(10),
});
export const UpdateResponse = message({ properties: bytesField(1), refreshBeforeUpdate: flag(2) });

export const DeleteRequest = message({
  id: text(1),
  urn: text(2),
  properties: bytesField(3),
  timeout: double(4),
  oldInputs: bytesField(5),
  type: text(7),
});

/** Detail of a failed call: the resource exists, but does not yet match the program. */
export const ErrorResourceInitFailed = message({
  id: text(1),
  properties: bytesField(2),
  reasons: repeatedText(3),
  inputs: bytesField(4),
  refreshBeforeUpdate: flag(5),
});

export const InvokeRequest = message({ tok: text(1), args: bytesField(2) });
export const InvokeResponse = message({ return: bytesField(1), failures: many(2, CheckFailure) });

export const ListRequest = message({ token: text(1), query: bytesField(2), limit: integer(3) });
const ListResult = message({ id: text(1), name: text(2) });
export const ListResponse = message({ computed: one(1, Empty), result: one(2, ListResult) });

// The engine.
export const LogSeverity = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3 } as const;
export const LogRequest = message({ severity: integer(1), message: text(2), urn: text(3), ephemeral: flag(5) });

// Messages from google.rpc and google.protobuf that carry the details of an error.
const Any = message({ typeUrl: text(1), /** A serialized message. */ value: bytesField(2) });
export const Status = message({ code: integer(1), message: text(2), details: many(3, Any) });

export type CheckRequest = ContentOf<typeof CheckRequest>;
export type DiffRequest = ContentOf<typeof DiffRequest>;
export type UpdateRequest = ContentOf<typeof UpdateRequest>;
export type InvokeRequest = ContentOf<typeof InvokeRequest>;
export type DiffResponse = Partial<ContentOf<typeof DiffResponse>>;
