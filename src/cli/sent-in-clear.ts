/** Decides whether traffic to a service can be read on the way. Sends nothing. */

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Decided by the name alone. The name is not resolved. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}

/** True for plain http to another machine, where the API key can be read on the way. */
export function isSentInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isThisMachine(hostname);
}
