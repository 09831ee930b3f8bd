/** Marks text as code of another language, such as SQL, so that `npm run messages` does not take it for a sentence. */
export const code = String.raw;
