import * as z from "zod";
import type { Refusal, RefusalDetails, RefusalKind } from "../../../kit/refusal";
import type { Endpoint } from "../../../platform/contract/endpoint";
import { ErrorBody } from "../../../platform/contract/schemas";
import { EMPTY_TEXT, invalidJson, unexpectedStatus, unreadableResponse, unrelatedResponse } from "../messages";
import { classifyRefusal } from "../wording";
import { fieldOf } from "./request";

const DEEPEST_ANSWER = 64;
const SHOWN_TEXT_LENGTH = 300;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The endpoint whose response is checked, and functions for reporting an invalid response. */
interface ResponseReader {
  readonly endpoint: Endpoint;
  refuse(kind: RefusalKind, details: RefusalDetails): Refusal;
  /** Removes credentials from text that the platform sent, and shortens the text. */
  show(text: string): string;
}

/**
 * Parses a response and checks that it has the form that the contract defines.
 *
 * @throws Refusal for any other response.
 */
export function resultOrThrow(request: object, answer: Answer, reader: ResponseReader): unknown {
  const result = parseAnswer(answer, reader);
  assertAnswersRequest(request, result, reader);
  return result;
}

function parseAnswer({ status, text }: Answer, { endpoint, refuse, show }: ResponseReader): unknown {
  const json = parseJson(text);
  if (status !== 200 && status < 300)
    throw refuse("unreadable", { ...unexpectedStatus({ status }), status, uncertain: true });
  if (status !== 200) {
    const { error, code } = ErrorBody.safeParse(json).data ?? {};
    const shown = typeof error === "string" ? error : error === undefined ? text : JSON.stringify(error);
    throw refuse(...classifyRefusal(status, show(shown), code));
  }
  const result = endpoint.result.safeParse(json);
  if (result.success) return result.data;
  // The error message does not repeat the response, because the response may contain a secret that is shown only once.
  const why =
    json === undefined ? invalidJson({ characters: text.length }) : z.prettifyError(result.error).replaceAll("\n", " ");
  throw refuse("unreadable", { ...unreadableResponse({ reason: show(why) }), status, uncertain: true });
}

/** Rejects a response about an object other than the requested one, so that the client never confuses two objects. */
function assertAnswersRequest(request: object, result: unknown, { endpoint, refuse, show }: ResponseReader): void {
  for (const [asked, answered] of Object.entries(endpoint.repeats ?? {})) {
    const [wanted, given] = [fieldOf(request, asked), fieldOf(result, answered)];
    if (wanted === undefined || given === undefined || String(given).toLowerCase() === String(wanted).toLowerCase())
      continue;
    const unrelated = unrelatedResponse({ field: answered, value: show(String(given)) });
    throw refuse("unreadable", { ...unrelated, status: 200, uncertain: true });
  }
}

/**
 * Parses JSON. Returns `undefined` for text that is not JSON, and for JSON that is nested too deeply to be processed
 * recursively.
 */
export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return isTooDeep(json) ? undefined : json;
  } catch {
    return undefined;
  }
}

function isTooDeep(json: unknown, deepest = DEEPEST_ANSWER): boolean {
  if (typeof json !== "object" || json === null) return false;
  return deepest === 0 || Object.values(json).some((inner) => isTooDeep(inner, deepest - 1));
}

/**
 * Shortens text from a server and removes control characters, so that the text cannot move the cursor or change the
 * colours of a terminal.
 */
export function shorten(text: string): string {
  const plain = text.slice(0, SHOWN_TEXT_LENGTH).replace(/\p{Cc}+/gu, " ");
  return text.length > SHOWN_TEXT_LENGTH ? `${plain}…` : plain || EMPTY_TEXT;
}

/** Matches a JSON Web Token, even if its end is missing. Every token of the platform is a JSON Web Token. */
const TOKEN = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;

/** Removes the credential, whatever its format, and all JSON Web Tokens from text. */
export const textWithoutTokens = (text: string, credential?: string): string =>
  (credential === undefined ? text : text.replaceAll(credential, "[credential]")).replaceAll(TOKEN, "[credential]");
