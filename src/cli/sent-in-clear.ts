/** Decides whether others could read what is sent to a service. It sends nothing. */

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Decided by the name alone, without resolving it. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}

/** True for plain http to another machine: the API key can be read on the way. */
export function isSentInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isThisMachine(hostname);
}
