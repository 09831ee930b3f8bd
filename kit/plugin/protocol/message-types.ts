import {
  boolField,
  bytesField,
  type ContentOf,
  doubleField,
  integerField,
  message,
  messageField,
  messagesField,
  textField,
  textsField,
} from "./message-fields";

/**
 * Pulumi's messages, with only the fields that the provider uses. Names and field numbers come from proto/pulumi/
 * (provider.proto, plugin.proto, engine.proto, status.proto). Unless a comment says otherwise, a field of type `bytes`
 * holds a `google.protobuf.Struct`, which `decodeStructValues` and `encodeStructValues` convert.
 */

export const Empty = message({});

// The plugin
export const PluginInfo = message({ version: textField(1) });
export const PluginAttach = message({ address: textField(1) });
export const ProviderHandshakeRequest = message({ engineAddress: textField(1) });
export const ProviderHandshakeResponse = message({
  acceptSecrets: boolField(1),
  acceptResources: boolField(2),
  acceptOutputs: boolField(3),
  supportsAutonamingConfiguration: boolField(4),
});
export const GetSchemaRequest = message({ version: integerField(1) });
export const GetSchemaResponse = message({ schema: textField(1) });
export const ConfigureRequest = message({ args: bytesField(2), id: textField(7), urn: textField(8) });
export const ConfigureResponse = message({
  acceptSecrets: boolField(1),
  supportsPreview: boolField(2),
  acceptResources: boolField(3),
  acceptOutputs: boolField(4),
  supportsAutonamingConfiguration: boolField(5),
});

// Resources.
const CheckFailure = message({ property: textField(1), reason: textField(2) });
export const AutonamingMode = { PROPOSE: 0, ENFORCE: 1, DISABLE: 2 } as const;
const AutonamingOptions = message({ proposedName: textField(1), mode: integerField(2) });
export const CheckRequest = message({
  urn: textField(1),
  olds: bytesField(2),
  news: bytesField(3),
  /** Raw bytes, not a Struct. */
  randomSeed: bytesField(5),
  name: textField(6),
  type: textField(7),
  autonaming: messageField(8, AutonamingOptions),
});
export const CheckResponse = message({ inputs: bytesField(1), failures: messagesField(2, CheckFailure) });

export const DiffRequest = message({
  id: textField(1),
  urn: textField(2),
  olds: bytesField(3),
  news: bytesField(4),
  ignoreChanges: textsField(5),
  oldInputs: bytesField(6),
  type: textField(8),
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
const PropertyDiff = message({ kind: integerField(1) });
const DetailedDiff = message({ key: textField(1), value: messageField(2, PropertyDiff) });
export const DiffResponse = message({
  replaces: textsField(1),
  deleteBeforeReplace: boolField(3),
  changes: integerField(4),
  diffs: textsField(5),
  detailedDiff: messagesField(6, DetailedDiff),
  hasDetailedDiff: boolField(7),
});

export const CreateRequest = message({
  urn: textField(1),
  properties: bytesField(2),
  timeout: doubleField(3),
  preview: boolField(4),
  type: textField(6),
});

export const CreateResponse = message({
  id: textField(1),
  properties: bytesField(2),
  refreshBeforeUpdate: boolField(3),
});

export const ReadRequest = message({
  id: textField(1),
  urn: textField(2),
  properties: bytesField(3),
  inputs: bytesField(4),
  type: textField(6),
  timeout: doubleField(10),
});
export const ReadResponse = message({
  id: textField(1),
  properties: bytesField(2),
  inputs: bytesField(3),
  refreshBeforeUpdate: boolField(4),
});

export const UpdateRequest = message({
  id: textField(1),
  urn: textField(2),
  olds: bytesField(3),
  news: bytesField(4),
  timeout: doubleField(5),
  ignoreChanges: textsField(6),
  preview: boolField(7),
  oldInputs: bytesField(8),
  type: textField(10),
});
export const UpdateResponse = message({ properties: bytesField(1), refreshBeforeUpdate: boolField(2) });

export const DeleteRequest = message({
  id: textField(1),
  urn: textField(2),
  properties: bytesField(3),
  timeout: doubleField(4),
  oldInputs: bytesField(5),
  type: textField(7),
});

/** Detail of a failed call: the resource exists, but does not yet match the program. */
export const ErrorResourceInitFailed = message({
  id: textField(1),
  properties: bytesField(2),
  reasons: textsField(3),
  inputs: bytesField(4),
  refreshBeforeUpdate: boolField(5),
});

export const InvokeRequest = message({ tok: textField(1), args: bytesField(2) });
export const InvokeResponse = message({ return: bytesField(1), failures: messagesField(2, CheckFailure) });

export const ListRequest = message({ token: textField(1), query: bytesField(2), limit: integerField(3) });
const ListResult = message({ id: textField(1), name: textField(2) });
export const ListResponse = message({ computed: messageField(1, Empty), result: messageField(2, ListResult) });

// The engine.
export const LogSeverity = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3 } as const;

export const LogRequest = message({
  severity: integerField(1),
  message: textField(2),
  urn: textField(3),
  ephemeral: boolField(5),
});

// Messages from google.rpc and google.protobuf that carry the details of an error.
const Any = message({ typeUrl: textField(1), /** A serialized message. */ value: bytesField(2) });
export const Status = message({ code: integerField(1), message: textField(2), details: messagesField(3, Any) });

export type CheckRequest = ContentOf<typeof CheckRequest>;
export type DiffRequest = ContentOf<typeof DiffRequest>;
export type UpdateRequest = ContentOf<typeof UpdateRequest>;
export type InvokeRequest = ContentOf<typeof InvokeRequest>;
export type DiffResponse = Partial<ContentOf<typeof DiffResponse>>;
