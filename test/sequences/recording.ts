import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Properties } from "../../kit/lifecycle/properties";
import type { Program } from "../fake-engine/declared-program";
import type { Driver, Outcome } from "./driver";
import { fakeEngineDriver } from "./fake-engine-driver";
import { nothingSeen, play } from "./law";
import type { SequenceStep } from "./scene";
import type { CredentialKind, SequenceFixture } from "./sequence-fixture";

/** The channel on which undici announces each request. */
const REQUESTS = "undici:request:create";

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The program, settings and interruptions of a sequence. */
export interface SequenceOptions {
  readonly program?: Program;
  readonly settings?: Properties;
  /** Called with each response of the lifecycle in an update. Changes the platform while the update runs. */
  readonly meanwhile?: (response: string, stage: SequenceFixture) => Promise<void>;
}

/**
 * Plays a sequence on the fake engine. Returns everything that it observed, in order: each response of the lifecycle,
 * each message and refusal, and each request with its body and status.
 */
export async function recordingOf(
  steps: readonly SequenceStep[],
  { program, settings, meanwhile }: SequenceOptions = {},
): Promise<string[]> {
  const lines: string[] = [];
  const masked = masking();
  const note = (line: string) => void lines.push(masked(line));
  const open = async (stage: SequenceFixture) => {
    const trace = async (line: string) => {
      note(line);
      if (lines.findLast((one) => /^(up|preview) as /.test(one))?.startsWith("up")) await meanwhile?.(line, stage);
    };
    return recordingDriver(fakeEngineDriver(stage, trace, settings), stage, note);
  };
  try {
    await play(steps, { open, seen: nothingSeen(), rehearses: true, ...(program && { program }) });
    note("held");
  } catch (thrown) {
    note(`failed: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
  return lines;
}

function recordingDriver(driver: Driver, stage: SequenceFixture, note: (line: string) => void): Driver {
  const recording =
    (kind: "up" | "preview") =>
    async (program: Program, credential: CredentialKind): Promise<Outcome> => {
      note(`${kind} as ${credential}`);
      const before = stage.api.journal().length;
      const onRequest = (message: unknown) => {
        const { method, path, body } = (message as { readonly request: Request }).request;
        note(`request ${method} ${path}${body == null ? "" : ` ${body}`}`);
      };
      subscribe(REQUESTS, onRequest);
      try {
        const outcome = await driver[kind](program, credential);
        note(`${outcome.empty ? "empty" : "not empty"}, refused: ${JSON.stringify(outcome.refusals)}`);
        return outcome;
      } finally {
        unsubscribe(REQUESTS, onRequest);
        for (const { method, path, status } of stage.api.journal().slice(before))
          note(`answer ${status} ${method} ${path}`);
      }
    };
  return { ...driver, up: recording("up"), preview: recording("preview") };
}

/** Returns a function that replaces UUIDs and tokens, of which some are random, by numbers in order of appearance. */
export function masking(): (line: string) => string {
  const numbers = new Map<string, number>();
  const number = (text: string) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text);
  };
  return (line) =>
    line
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => `<token ${number(token)}>`)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => `<id ${number(id)}>`);
}
