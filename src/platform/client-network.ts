/** Groups IP addresses into networks, by which clients are distinguished. */
import ipaddr from 'ipaddr.js';

/** The size of a block of addresses that is assigned to a subscriber, a site or a large site. */
export type NetworkSize = 'one' | 'site' | 'large';
const BITS = { one: 64, site: 56, large: 48 } as const;

/**
 * Lists the networks that contain an IP address, smallest first. An IPv6 client is identified by its first 64 bits,
 * because it usually has all addresses of a /64. The next entries are the /56 and the /48, which whole sites have. For
 * an IPv4 address or any other text, the only entry is that text.
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
