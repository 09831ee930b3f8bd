import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

let roots: SecureContext | undefined;

/**
 * Whose certificates are trusted: Node.js's own roots, the system's, and those that NODE_EXTRA_CA_CERTS adds. The same for
 * the whole process, and read once: that takes some 100 ms.
 */
export function trustedRoots(): SecureContext {
  roots ??= createSecureContext({
    ca: [...new Set([...getCACertificates("default"), ...getCACertificates("system")])],
  });
  return roots;
}
