import type { Exchange } from "./faulty-wire";

/** What a fault can do to the run that has sent the request. */
interface Run {
  kill(): void;
  /** Makes every later request fail. */
  lose(): void;
}

/** A fault that strikes one request, and in some cases all later ones. */
export type RequestFault = (exchange: Exchange, run: Run) => unknown;

/** Losses, by what follows "a request". */
export const LOSSES: Readonly<Record<string, RequestFault>> = {
  "whose answer is lost": async ({ forward, cut }) => {
    await forward();
    cut();
  },
  "after which nothing answers": async ({ forward, cut }, { lose }) => {
    lose();
    await forward();
    cut();
  },
  "before which nothing answers": ({ cut }, { lose }) => {
    lose();
    cut();
  },
  "before which the process is killed": ({ cut }, { kill }) => {
    kill();
    cut();
  },
  "after which the process is killed": async ({ forward, cut }, { kill }) => {
    await forward();
    kill();
    cut();
  },
};
