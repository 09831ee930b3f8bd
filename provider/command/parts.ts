/** The parts of the command `dbplatform`, with what `dbplatform --help` says of each. */
export const PARTS = {
  adopt: "import an organization into Pulumi, or list what no stack manages",
  api: "run the platform's API on this machine",
  restore: "bring back what was deleted, whether or not a program declares it",
  scopes: "say what the API token of a run needs at least",
};
