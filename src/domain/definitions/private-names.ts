/** Recognises hosts that are never public, by their text only. Pure. */

const PRIVATE_SUFFIXES = ['internal', 'local', 'localdomain', 'lan', 'home.arpa', 'intranet'];
/** Matches IPv4 addresses in URLs: this machine, private networks, carrier-grade NAT, and link-local. */
const PRIVATE_IPV4 =
  /^(?:0|10|127|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;
/** Matches IPv6 addresses in URLs: this machine, unique local, and link-local. */
const PRIVATE_IPV6 = /^\[(?:::1\]|f[cd]|fe[89ab])/;

/** True for names that always mean this machine (RFC 6761 §6.3). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === 'localhost.localdomain';
}

export function isPrivateName(host: string): boolean {
  return PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/**
 * True if credentials would be sent unencrypted over a public network. A name without a dot counts as private, like the
 * names of containers.
 */
export function isSentInClear({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (protocol !== 'http:') return false;
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return !PRIVATE_IPV6.test(host);
  if (/^[\d.]+$/.test(host)) return !PRIVATE_IPV4.test(host);
  return host.includes('.') && !isLoopbackName(host) && !isPrivateName(host);
}
