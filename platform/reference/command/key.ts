/** Returns the key for the routes under `/_reference/`, if the environment contains one. */
export const serverKeyInEnvironment = (): string | undefined => process.env.DBPLATFORM_REFERENCE_KEY;
