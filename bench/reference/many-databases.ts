import type { Bench } from "../bench";
import type { Figures } from "../figures";
import type { Programs } from "./programs";
import { writeSeed } from "./seed";
import { Server } from "./server";

const MANY = 10_000;
const FEW = 100;

const LISTED = 20_000;
const PAGE = 1000;
const CREATED = 500;

/**
 * Measures list and create requests in an organization with many databases. CPU time is measured with the data in
 * memory, so that disk access does not distort it.
 */
export async function manyDatabases({ folder, rounds }: Bench, programs: Programs, figures: Figures): Promise<void> {
  const started = (databases: number): Promise<Server> =>
    Server.start(programs, "--seed", writeSeed(folder, databases));
  const many = await started(MANY);
  const few = await started(FEW);

  const first = (await many.ask(`${many.databases}?limit=${PAGE}`)) as { pagination: { next: string } };
  const later = `${many.databases}?limit=${PAGE}&cursor=${first.pagination.next}`;
  const all = `${few.databases}?limit=${PAGE}`;
  /** Returns how much CPU time the server spends on list requests, in milliseconds per thousand databases. */
  const page = async (server: Server, path: string, listed: number): Promise<number> => {
    const pages = LISTED / listed;
    const milliseconds = await server.processorTime(async () => {
      for (let number = 0; number < pages; number++) await server.ask(path);
    });
    return milliseconds / (LISTED / PAGE);
  };
  const create = async (server: Server): Promise<number> => {
    const milliseconds = await server.processorTime(async () => {
      for (let number = 0; number < CREATED; number++) await server.create(`created-${number}`);
    });
    await server.reset();
    return milliseconds / CREATED;
  };
  for (let round = 0; round < rounds; round++) {
    figures.add("reference API: a page of 1,000 of 10,000 databases, against one of 100", {
      ours: await page(many, later, PAGE),
      floor: await page(few, all, FEW),
    });
    figures.add("reference API: a create beside 10,000 databases, against 100", {
      ours: await create(many),
      floor: await create(few),
    });
  }
  await many.end();
  await few.end();
}
