/** Decides from the URL of a service whether others can read the traffic to it. Does not contact the service. */

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** True if the host name belongs to this machine. Decides by the name alone, without resolving it. */
export function isThisMachine(hostname: string): boolean {
  return THIS_MACHINE.test(hostname);
}

/** True for plain http to another machine, where others on the network can read the API key. */
export function isSentInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isThisMachine(hostname);
}
