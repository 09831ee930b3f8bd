/** A JSON Web Token, as every token of the platform is, or the beginning of one. */
const TOKEN = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;

/** Replaces tokens in a text, and the credential, which may have any form. */
export const withoutTokens = (text: string, credential: string): string =>
  text.replaceAll(credential, "[credential]").replaceAll(TOKEN, "[credential]");

/** Replaces secrets in a text, including a secret that the text cuts off (`…`). */
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
