/** The lookbehind keeps matching linear: without it, a match would be attempted at every letter of a long word. */
const CREDENTIAL = /(?<![\w-])[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g;

/**
 * Maximum number of unescaping passes after the first. Several passes are needed for text that has been escaped more
 * than once.
 */
const LAYERS = 10;

/**
 * Removes this server's key and all credentials from text, even if they are escaped. A caller may have sent a
 * credential instead of a name.
 */
export function redactCredentials(text: string, key?: string): string {
  // Returns early if the text cannot contain a credential: a credential contains dots, and an escaped dot contains a
  // percent sign.
  if (!/[.%]/.test(text) && (key === undefined || !text.includes(key))) return text;
  const plain = unescaped(text, LAYERS);
  const shown = (key === undefined ? plain : plain.replaceAll(key, "[key]")).replace(CREDENTIAL, "[credential]");
  return shown === plain ? text : shown;
}

/** Returns whether the text contains a JSON Web Token. */
export const holdsToken = (text: string): boolean => /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]*\.[\w-]{20,}/.test(text);

function unescaped(text: string, layers: number): string {
  const once = text.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_escape, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return once === text || layers === 0 ? once : unescaped(once, layers - 1);
}
