/** Without the look behind, a long word would be tried from each of its letters on. */
const CREDENTIAL = /(?<![\w-])[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g;

/** Each takes at least a letter away from what is escaped several times over. */
const LAYERS = 10;

/**
 * The text without the credentials that a caller may have put where a name belongs, also where they are escaped; and
 * without the key of this server, if it has one.
 */
export function withoutCredentials(text: string, key?: string): string {
  // One has dots, which are escaped with a percent sign.
  if (!/[.%]/.test(text) && (key === undefined || !text.includes(key))) return text;
  const plain = unescaped(text, LAYERS);
  const shown = (key === undefined ? plain : plain.replaceAll(key, "[key]")).replace(CREDENTIAL, "[credential]");
  return shown === plain ? text : shown;
}

/** Whether a JSON Web Token stands in it. */
export const holdsToken = (text: string): boolean => /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]*\.[\w-]{20,}/.test(text);

function unescaped(text: string, layers: number): string {
  const once = text.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_escape, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return once === text || layers === 0 ? once : unescaped(once, layers - 1);
}
