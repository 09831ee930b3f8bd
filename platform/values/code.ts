/** Marks a string as code, such as SQL, so that `npm run messages` does not mistake it for a message. */
export const code = String.raw;
