import { message } from "../../values/message";

/** The public service's response to an unknown route (wire-facts 0). It is not JSON. */
export const NO_ROUTE = "404 page not found";

/** The error message in a response whose status comes from a fault rule. */
export const injectedFault = message((status: number) => `fault: status ${status}`, [503]);

export const EMPTY_HOST = "The host is empty. Use --host 127.0.0.1, or 0.0.0.0 for every address of this machine.";

export const portInUse = message(
  (port: number, host: string) =>
    `Port ${port} on ${host} is already in use. Stop the program that listens there, or use --port 0 for any free port.`,
  [8080, "127.0.0.1"],
);
export const portReserved = message(
  (port: number, host: string) =>
    `Port ${port} on ${host} is reserved for privileged users. Use port 1024 or higher, or --port 0 for any free port.`,
  [80, "127.0.0.1"],
);
export const addressMissing = message(
  (host: string) =>
    `This machine does not have the address ${host}. Use --host 127.0.0.1, or 0.0.0.0 for every address of this machine.`,
  ["192.0.2.1"],
);
export const hostUnresolved = message(
  (host: string) =>
    `The name ${host} cannot be resolved. Use --host with an address of this machine, such as 127.0.0.1.`,
  ["db.example"],
);
