import * as z from "zod";
import type { Endpoint } from "../../contract/endpoint";
import { ErrorBody } from "../../contract/error";
import { fieldOf } from "../field";
import { type Refusal, type RefusalDetails, type RefusalKind, refusalOf } from "../refusal";

const DEEPEST_ANSWER = 64;
const SHOWN_TEXT_LENGTH = 300;
const NOT_THE_PLATFORM = "Is `baseUrl` the address of the platform?";

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** How a failure becomes something to show. */
interface Telling {
  readonly endpoint: Endpoint;
  refuse(kind: RefusalKind, details: RefusalDetails): Refusal;
  /** What the platform says, as much of it as may be shown. */
  show(text: string): string;
}

/** What an answer says, in the shape that the contract promises; anything else is a `Refusal`. */
export function resultOf(request: object, answer: Answer, telling: Telling): unknown {
  const result = parse(answer, telling);
  mustBeAbout(request, result, telling);
  return result;
}

function parse({ status, text }: Answer, { endpoint, refuse, show }: Telling): unknown {
  const json = jsonOf(text);
  if (status !== 200 && status < 300) {
    throw refuse("unreadable", {
      answer: `the platform answered ${status}, which it never does`,
      advice: NOT_THE_PLATFORM,
      status,
      uncertain: true,
    });
  }
  if (status !== 200) {
    const { error, code } = ErrorBody.safeParse(json).data ?? {};
    const shown = typeof error === "string" ? error : error === undefined ? text : JSON.stringify(error);
    throw refuse(...refusalOf(status, show(shown), code));
  }
  const result = endpoint.result.safeParse(json);
  if (result.success) return result.data;
  // Never the text itself: it may hold what is shown only once.
  const why =
    json === undefined
      ? `${text.length} characters that are no JSON, or nested without end`
      : z.prettifyError(result.error).replaceAll("\n", " ");
  throw refuse("unreadable", {
    answer: `the platform answered 200 with what cannot be understood: ${show(why)}`,
    advice: NOT_THE_PLATFORM,
    status,
    uncertain: true,
  });
}

/** Nothing may be taken for something else, whatever a server answers. */
function mustBeAbout(request: object, result: unknown, { endpoint, refuse, show }: Telling): void {
  for (const [asked, answered] of Object.entries(endpoint.repeats ?? {})) {
    const [wanted, told] = [fieldOf(request, asked), fieldOf(result, answered)];
    if (wanted === undefined || told === undefined || String(told).toLowerCase() === String(wanted).toLowerCase())
      continue;
    throw refuse("unreadable", {
      answer: `the platform answered 200 about something else: ${answered} is "${show(String(told))}"`,
      advice: NOT_THE_PLATFORM,
      status: 200,
      uncertain: true,
    });
  }
}

/** `undefined` for what is no JSON, and for what is nested so deeply that nobody could take it apart again. */
function jsonOf(text: string): unknown {
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

/** What a server says is shown as text: it moves no cursor and colours nothing. */
export function shorten(text: string): string {
  const plain = text.slice(0, SHOWN_TEXT_LENGTH).replace(/\p{Cc}+/gu, " ");
  return text.length > SHOWN_TEXT_LENGTH ? `${plain}…` : plain || "(nothing)";
}
