import { html } from "hono/html";

export interface Problem {
  readonly message: string;
  readonly typed?: string;
}

export type Problems = ReadonlyMap<string, Problem>;

/**
 * Renders the error message for the section, database or group with this id, if there is one, and moves the focus to
 * the message.
 */
export const problemAt = (problems: Problems, id: string) => {
  const problem = problems.get(id);
  return problem === undefined
    ? ""
    : html`<p class="refusal" role="alert" tabindex="-1" autofocus>${problem.message}</p>`;
};
