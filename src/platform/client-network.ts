/** What of a client's address tells one client from another. It resolves nothing. */
import ipaddr from 'ipaddr.js';

/** From what one subscriber always has to what larger ones are given. */
export type NetworkSize = 'one' | 'site' | 'large';
const BITS = { one: 64, site: 56, large: 48 } as const;

/**
 * The networks that an address is in, the smallest first. An IPv4 address is alone, also out of its IPv6
 * form; of IPv6 the first 64 bits are one, since whoever has one address of those has all of them, and
 * 56 and 48 bits are what whole sites are given. What is no address stays as it is.
 */
export function networksOf(address: string): readonly (readonly [NetworkSize, string])[] {
  const bytes = bytesOfIpv6(address);
  if (typeof bytes === 'string') return [['one', bytes]];
  return (['one', 'site', 'large'] as const).map((size) => {
    const prefix = Buffer.from(bytes.slice(0, BITS[size] / 8)).toString('hex');
    return [size, `${prefix}::/${BITS[size]}`];
  });
}

/** The address in words when it is none of IPv6. */
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

/** Whether an address is in one of the ranges; an IPv4 address is so in its IPv6 form, too. */
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
