/** Matches a JSON Web Token, even if its end is missing. Every token of the platform is a JSON Web Token. */
const TOKEN = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;

/** Removes the credential, whatever its format, and all JSON Web Tokens from text. */
export const withoutTokens = (text: string, credential: string): string =>
  text.replaceAll(credential, "[credential]").replaceAll(TOKEN, "[credential]");

/** Removes secrets from text, including a secret whose end was replaced by `…` when the text was shortened. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => withoutBeginning(shown.replaceAll(secret, HIDDEN), secret), text);

const HIDDEN = "[hidden]";

function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length > 0; length--) {
    const cut = `${secret.slice(0, length)}…`;
    if (text.includes(cut)) return text.replaceAll(cut, `${HIDDEN}…`);
  }
  return text;
}
