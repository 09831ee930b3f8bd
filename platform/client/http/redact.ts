/** A JSON Web Token, which every token of the platform is, or the beginning of one. */
const TOKEN = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;

/** The text without tokens, among them a credential that may have any form. */
export const withoutTokens = (text: string, credential: string): string =>
  text.replaceAll(credential, "[credential]").replaceAll(TOKEN, "[credential]");

/** The text without these secrets, also where it was cut off (`…`) within one. */
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
