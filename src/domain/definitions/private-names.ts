/** Hosts that never are public ones, by their text alone. Pure. */

const PRIVATE_SUFFIXES = ['internal', 'local', 'localdomain', 'lan', 'home.arpa', 'intranet'];
/** Of IPv4, as URLs spell it: this machine, private networks, those of carriers, and links. */
const PRIVATE_IPV4 =
  /^(?:0|10|127|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;
/** Of IPv6: this machine, unique local ones, and links. */
const PRIVATE_IPV6 = /^\[(?:::1\]|f[cd]|fe[89ab])/;

/** True for names that always mean this machine (RFC 6761 §6.3). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === 'localhost.localdomain';
}

export function isPrivateName(host: string): boolean {
  return PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/**
 * Whether credentials would go out in clear: only on private networks http may carry them. A name without a dot is one
 * of a private network, as those of containers are.
 */
export function isSentInClear({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (protocol !== 'http:') return false;
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return !PRIVATE_IPV6.test(host);
  if (/^[\d.]+$/.test(host)) return !PRIVATE_IPV4.test(host);
  return host.includes('.') && !isLoopbackName(host) && !isPrivateName(host);
}
