/** The text without the credentials that a caller may have put where a name belongs, however often they are escaped. */
export function withoutCredentials(text: string): string {
  const plain = unescaped(text);
  const shown = plain.replace(/[\w-]{8,}\.[\w-]+\.[\w-]{20,}/g, "[credential]");
  return shown === plain ? text : shown;
}

function unescaped(text: string): string {
  const once = text.replace(/%([0-7][0-9a-f])/gi, (_escape, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return once === text ? text : unescaped(once);
}
