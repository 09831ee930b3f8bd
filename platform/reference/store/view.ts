import type { State } from "./schema";

const views = new WeakMap<State, View>();

/** From now on nothing changes in this state, so that what was asked once need not be asked again. */
export const toBeRead = (state: State): void => void views.set(state, new View());

/** `undefined`: it may change. */
export const viewOf = (state: State): View | undefined => views.get(state);

/** What was asked so far. */
class View {
  private readonly answers = new Map<unknown, Map<string, Promise<unknown>>>();

  once<Answer>(query: object, parameters: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> {
    const answers = this.answers.get(query) ?? new Map<string, Promise<unknown>>();
    this.answers.set(query, answers);
    const key = JSON.stringify(parameters);
    const answer = answers.get(key) ?? ask();
    answers.set(key, answer);
    return answer as Promise<Answer>;
  }
}
