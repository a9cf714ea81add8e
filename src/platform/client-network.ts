/** Groups IP addresses into networks, because one client may use many addresses. */
import ipaddr from 'ipaddr.js';

/** The size of a block of addresses that is assigned to a subscriber, a site or a large site. */
export type NetworkSize = 'one' | 'site' | 'large';
const BITS = { one: 64, site: 56, large: 48 } as const;

/**
 * Lists the networks that contain an IP address, smallest first. For an IPv6 address, these are its /64, /56 and /48: a
 * client usually has a whole /64, and a site a whole /56 or /48. For an IPv4 address, or any other text, the list
 * contains only this text.
 */
export function listNetworks(address: string): readonly (readonly [NetworkSize, string])[] {
  const bytes = bytesOfIpv6(address);
  if (typeof bytes === 'string') return [['one', bytes]];
  return (['one', 'site', 'large'] as const).map((size) => {
    const prefix = Buffer.from(bytes.slice(0, BITS[size] / 8)).toString('hex');
    return [size, `${prefix}::/${BITS[size]}`];
  });
}

/** Returns the bytes of an IPv6 address. Returns an IPv4 address, or any other text, as text. */
function bytesOfIpv6(address: string): readonly number[] | string {
  try {
    const parsed = ipaddr.parse(address);
    if (parsed.kind() === 'ipv4') return parsed.toString();
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
    if (mapped !== undefined) return mapped;
    return parsed.toByteArray();
  } catch {
    return address;
  }
}

/** True if the IP address is in one of the ranges. IPv4 addresses also match in their IPv6 form. */
export function isInNetworks(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${wholeBits(range)}`,
    );
    return client.kind() === network.kind() && client.match(network, bits);
  });
}

function wholeBits(address: string): number {
  return address.includes(':') ? 128 : 32;
}
