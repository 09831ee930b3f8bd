/** What a JWT says of itself. Not verified: only its issuer can do that. `undefined` for what is no JWT. */
export function claimsOf(jwt: string): unknown {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
