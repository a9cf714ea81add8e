/**
 * Which private targets `npm start` opens by itself: this machine, as long as nobody else reaches the service. It
 * is for trying things out; processes that are started one by one, as in the images, never open anything.
 */
import { BlockList, isIPv6 } from 'node:net';
import type { Settings } from './settings';

/**
 * Below the ports that systems give out at random (RFC 6056): Temporal's development server takes some of those
 * for itself, and nobody could name them.
 */
const LOOPBACK_TARGETS = ['127.0.0.0/8#1-32767', '::1/128#1-32767'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  return plain === 'localhost' || loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** Nothing when the API listens elsewhere, or is reached by a URL of others, as behind a proxy. */
export function loopbackTargets({
  HOST,
  KEEPWATCH_PUBLIC_URL,
}: Pick<Settings, 'HOST' | 'KEEPWATCH_PUBLIC_URL'>): readonly string[] {
  const isOfThisMachine = isLoopback(HOST) && isLoopback(new URL(KEEPWATCH_PUBLIC_URL).hostname);
  return isOfThisMachine ? LOOPBACK_TARGETS : [];
}
