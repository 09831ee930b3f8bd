import { GOALS, type MeasurementName } from "./goals";
import type { Measurement } from "./measurement";

interface Figure {
  readonly ours: number;
  readonly floor?: number;
}

/** Collects the figures of all measurements, round by round. */
export class Figures {
  readonly #rounds = new Map<MeasurementName, Figure[]>();

  add(name: MeasurementName, figure: Figure): void {
    this.#rounds.set(name, [...(this.#rounds.get(name) ?? []), figure]);
  }

  addIfJudged(name: string, figure: Figure): void {
    if (name in GOALS) this.add(name as MeasurementName, figure);
  }

  measurements(): Measurement[] {
    return [...this.#rounds].map(([name, figures]) => {
      const floor = figures.map((figure) => figure.floor).filter((figure) => figure !== undefined);
      return { name, ours: figures.map(({ ours }) => ours), ...(floor.length > 0 && { floor }) };
    });
  }
}
