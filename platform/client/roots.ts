import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/** Whose certificates are trusted: Node.js's own roots, the system's, and those that NODE_EXTRA_CA_CERTS adds. */
export const trustedRoots = (): SecureContext =>
  createSecureContext({ ca: [...new Set([...getCACertificates("default"), ...getCACertificates("system")])] });
