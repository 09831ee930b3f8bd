/** The lookbehind keeps the time linear: without it, a long word would be tried from each of its letters. */
const CREDENTIAL = /(?<![\w-])[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g;

/** Every pass shortens text that is escaped several times by at least one letter. */
const LAYERS = 10;

/**
 * Removes credentials that a caller may have put in place of a name, also escaped ones, and this server's key, if it
 * has one.
 */
export function withoutCredentials(text: string, key?: string): string {
  // A credential contains dots, and an escaped dot contains a percent sign.
  if (!/[.%]/.test(text) && (key === undefined || !text.includes(key))) return text;
  const plain = unescaped(text, LAYERS);
  const shown = (key === undefined ? plain : plain.replaceAll(key, "[key]")).replace(CREDENTIAL, "[credential]");
  return shown === plain ? text : shown;
}

/** Whether the text contains a JSON Web Token. */
export const holdsToken = (text: string): boolean => /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]*\.[\w-]{20,}/.test(text);

function unescaped(text: string, layers: number): string {
  const once = text.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_escape, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return once === text || layers === 0 ? once : unescaped(once, layers - 1);
}
