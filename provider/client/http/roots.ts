import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

let roots: SecureContext | undefined;

/**
 * Returns the root certificates of Node.js, of the system and from NODE_EXTRA_CA_CERTS. They are read only once per
 * process, because reading them takes about 100 ms.
 */
export function trustedRoots(): SecureContext {
  roots ??= createSecureContext({
    ca: [...new Set([...getCACertificates("default"), ...getCACertificates("system")])],
  });
  return roots;
}
