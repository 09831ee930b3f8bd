/**
 * Returns the claims of a JWT, or `undefined` for any other text. The claims are not verified, because only the issuer
 * can verify them.
 */
export function claimsOf(jwt: string): unknown {
  try {
    return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
