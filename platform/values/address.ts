import ipaddr from "ipaddr.js";
import { invalidAddress, invalidVpcEndpoint } from "./messages";

/** Validates an IPv4 or IPv6 address or CIDR block. Returns the problem, or `undefined` if there is none. */
export const addressProblem = (text: string): string | undefined =>
  (text.includes("/") ? isAddressBlock(text) : isAddress(text)) ? undefined : invalidAddress({ text });

/**
 * Returns whether the string is an IP address. Unlike ipaddr.js, this function rejects zones (`fe80::1%eth0`), and
 * octal and hexadecimal numbers in the IPv4 part of an IPv6 address.
 */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && IPV6.test(text));

const IPV6 = /^[0-9a-f:]+((\b(0|[1-9]\d*)\.){3}(0|[1-9]\d*))?$/i;

/**
 * Returns whether the string is a CIDR block. Unlike ipaddr.js, this function rejects short, octal and hexadecimal
 * addresses, and prefixes with leading zeros.
 */
function isAddressBlock(text: string): boolean {
  const [address = "", prefix = ""] = text.split("/");
  return isAddress(address) && /^(0|[1-9]\d*)$/.test(prefix) && ipaddr.isValidCIDR(text);
}

/** Validates the id of an AWS VPC endpoint (§2.2). Returns the problem, or `undefined` if the id is valid. */
export const vpcEndpointProblem = (text: string): string | undefined =>
  /^vpce-[0-9a-z]+$/.test(text) ? undefined : invalidVpcEndpoint({ text });

/**
 * Returns whether two addresses or blocks are equal. Ignores host bits and the notation of IPv6 addresses. An address
 * equals the block that contains only this address.
 */
export const sameAddress = (one: string, other: string): boolean => one === other || blockOf(one) === blockOf(other);

/** Returns whether an IP address equals the allowed address or lies in the allowed block. */
export function isAddressAllowedBy(address: string, allowed: string): boolean {
  if (!ipaddr.isValid(address) || addressProblem(allowed)) return false;
  const caller = ipaddr.process(address);
  const prefix = allowed.includes("/")
    ? allowed.slice(allowed.indexOf("/"))
    : `/${caller.kind() === "ipv4" ? 32 : 128}`;
  const block = ipaddr.parseCIDR(allowed.replace(/(\/.*)?$/, prefix));
  return block[0].kind() === caller.kind() && caller.match(block);
}

/**
 * Normalizes an address or block to the first address and the prefix length of the block. A single address is treated
 * as a block. Returns an invalid string unchanged, so that it equals only itself.
 */
function blockOf(text: string): string {
  if (addressProblem(text)) return text;
  const cidr = text.includes("/") ? ipaddr.parseCIDR(text) : undefined;
  const address = cidr ? cidr[0] : ipaddr.parse(text);
  const bits = address.kind() === "ipv4" ? 32 : 128;
  const prefix = cidr ? cidr[1] : bits;
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.max(0, Math.min(8, prefix - index * 8));
    return byte & ~(0xff >> kept);
  });
  return `${bytes.join(".")}/${prefix}`;
}

export const isLoopbackUrl = (url: string): boolean => {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
};
