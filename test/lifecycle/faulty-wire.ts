import dns from "node:dns";
import { onTestFinished, vi } from "vitest";
import { api, type Operation } from "../../platform/contract/api";
import type { Endpoint } from "../../platform/contract/endpoint";
import * as wires from "../wire";

export type { Answer } from "../wire";
export type WireRequest = wires.Asked<Operation>;
export type Exchange = wires.Exchange<Operation>;
export type Trouble = wires.Trouble<Operation>;

/** A proxy in front of a platform that knows which operation each request asks for. */
export type FaultyWire = wires.Wire<Operation>;

/**
 * Starts a proxy that stops when the test ends.
 *
 * @param target Address of the platform.
 */
export async function faultyWire(target: string): Promise<FaultyWire> {
  const wire = await wires.startWire(target, operationOf);
  const { heal } = wire;
  wire.heal = () => {
    vi.restoreAllMocks();
    return heal();
  };
  onTestFinished(() => wire.close());
  return wire;
}

/** Ways in which a platform becomes unreachable. `undefined` is a refused connection. */
export const losses: Readonly<Record<string, (() => void) | undefined>> = {
  "a refused connection": undefined,
  "an unknown name": forgetNames,
};

/** Makes every DNS lookup in this process fail. */
function forgetNames(): void {
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, done: (failure: Error) => void) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }))) as typeof dns.lookup);
}

function operationOf(method: string, path: string): Operation | undefined {
  const { pathname, searchParams } = new URL(path, "http://host");
  const fitting = (Object.entries(api) as [Operation, Endpoint][]).filter(
    ([, endpoint]) =>
      endpoint.method === method && endpoint.paths.some((template) => patternOf(template).test(pathname)),
  );
  const flagged = fitting.find(([, { queryFlag }]) => queryFlag !== undefined && searchParams.has(queryFlag));
  return (flagged ?? fitting.find(([, { queryFlag }]) => queryFlag === undefined))?.[0];
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`);
