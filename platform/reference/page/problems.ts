import { html } from "hono/html";

export interface Problem {
  readonly message: string;
  /** Text that was typed into the refused form. */
  readonly typed?: string;
}

/** Refusals by the id of the object that they concern. */
export type Problems = ReadonlyMap<string, Problem>;

/** Shows a refusal beside its object, and moves the focus there. */
export const problemAt = (problems: Problems, id: string) => {
  const problem = problems.get(id);
  return problem === undefined
    ? ""
    : html`<p class="refusal" role="alert" tabindex="-1" autofocus>${problem.message}</p>`;
};
