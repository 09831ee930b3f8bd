import { GOALS, type LineName } from "./goals";
import type { Line } from "./line";

interface Figure {
  readonly ours: number;
  readonly floor?: number;
}

/** Gathers the lines round by round. */
export class Figures {
  readonly #rounds = new Map<LineName, Figure[]>();

  add(name: LineName, figure: Figure): void {
    this.#rounds.set(name, [...(this.#rounds.get(name) ?? []), figure]);
  }

  /** The same where the table has such a line. */
  addIfJudged(name: string, figure: Figure): void {
    if (name in GOALS) this.add(name as LineName, figure);
  }

  lines(): Line[] {
    return [...this.#rounds].map(([name, figures]) => {
      const floor = figures.map((figure) => figure.floor).filter((figure) => figure !== undefined);
      return { name, ours: figures.map(({ ours }) => ours), ...(floor.length > 0 && { floor }) };
    });
  }
}
