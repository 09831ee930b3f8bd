import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

let roots: SecureContext | undefined;

/**
 * Returns the trusted certificates: Node.js's own roots, the system's, and those that NODE_EXTRA_CA_CERTS adds. They
 * are read once per process, because reading takes about 100 ms.
 */
export function trustedRoots(): SecureContext {
  roots ??= createSecureContext({
    ca: [...new Set([...getCACertificates("default"), ...getCACertificates("system")])],
  });
  return roots;
}
