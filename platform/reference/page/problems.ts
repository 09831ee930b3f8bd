import { html } from "hono/html";

export interface Problem {
  readonly message: string;
  /** Text that was typed into the refused form. */
  readonly typed?: string;
}

/** What was refused, by the id of the thing that it concerns. */
export type Problems = ReadonlyMap<string, Problem>;

/** Told at that thing, and where the reader is. */
export const problemAt = (problems: Problems, id: string) => {
  const problem = problems.get(id);
  return problem === undefined
    ? ""
    : html`<p class="refusal" role="alert" tabindex="-1" autofocus>${problem.message}</p>`;
};
