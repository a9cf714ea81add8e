/** Names of hosts that never are public ones, by their text alone. Pure. */

const PRIVATE_SUFFIXES = ['internal', 'local', 'localdomain', 'lan', 'home.arpa', 'intranet'];

/** True for names that always mean this machine (RFC 6761 §6.3). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === 'localhost.localdomain';
}

export function isPrivateName(host: string): boolean {
  return PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
