import ipaddr from "ipaddr.js";

/** What is wrong with an IP address or CIDR block (IPv4 or IPv6), or `undefined`. */
export const addressProblem = (text: string): string | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text)
    ? undefined
    : `"${text}" is neither an IP address nor a CIDR block ("203.0.113.7", "10.0.0.0/8", "2001:db8::/32")`;

/** What is wrong with the id of an AWS VPC endpoint (§2.2), or `undefined`. */
export const vpcEndpointProblem = (text: string): string | undefined =>
  /^vpce-[0-9a-z]+$/.test(text) ? undefined : `"${text}" is no AWS VPC endpoint id: it has the form vpce-…`;
