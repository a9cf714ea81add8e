/**
 * The private targets that `npm start` allows by default: this machine, if no other machine can reach the service.
 * Roles that are started separately allow no private targets by default.
 */
import { BlockList, isIPv6 } from 'node:net';
import type { Settings } from './settings';

/**
 * The loopback addresses without ephemeral ports (RFC 6056), because Temporal's development server listens on some of
 * these ports.
 */
const LOOPBACK_TARGETS = ['127.0.0.0/8#1-32767', '::1/128#1-32767'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '');
  return plain === 'localhost' || loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/**
 * Returns the targets. Empty if the API listens on another interface or has another public URL, for example behind a
 * proxy.
 */
export function listLoopbackTargets({
  HOST,
  KEEPWATCH_PUBLIC_URL,
}: Pick<Settings, 'HOST' | 'KEEPWATCH_PUBLIC_URL'>): readonly string[] {
  const isOfThisMachine = isLoopback(HOST) && isLoopback(new URL(KEEPWATCH_PUBLIC_URL).hostname);
  return isOfThisMachine ? LOOPBACK_TARGETS : [];
}
