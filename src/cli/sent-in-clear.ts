/** Whether others could read what is sent to a service. It asks nobody. */

const THIS_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** True for plain http to another machine: the API key can be read on the way. */
export function isSentInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !THIS_MACHINE.test(hostname);
}
