/** What of a client's address tells one client from another. It resolves nothing. */
import { parse } from 'ipaddr.js';

const NETWORK_PARTS = 4;

/**
 * An IPv4 address as it is, also out of its IPv6 form; of IPv6 the first 64 bits, since whoever has
 * one address of those has all of them. What is no address stays as it is.
 */
export function networkOf(address: string): string {
  try {
    const parsed = parse(address);
    if (parsed.kind() === 'ipv4') return parsed.toString();
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
    if (mapped !== undefined) return mapped;
    const parts = parsed.toByteArray().slice(0, NETWORK_PARTS * 2);
    return `${Buffer.from(parts).toString('hex')}::/64`;
  } catch {
    return address;
  }
}
