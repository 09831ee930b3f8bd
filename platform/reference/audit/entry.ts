import type { Api, Operation } from "../../contract/api";
import type { Answer, Received } from "../../contract/endpoint";
import type { Caller } from "../credentials/caller";
import type { Code } from "./codes";

export interface Entry {
  readonly code: Code;
  /** Names and ids of the changed objects. They never include a credential. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly organization?: string;
}

interface AuditedRequest<Name extends Operation> {
  readonly request: Received<Api[Name]>;
  readonly answer: Answer<Api[Name]>;
  readonly caller: Caller;
}

type Writing = { [Name in Operation]: Api[Name]["method"] extends "GET" ? never : Name }[Operation];

export type Audits = { readonly [Name in Writing]: (audited: AuditedRequest<Name>) => Entry | readonly Entry[] };
