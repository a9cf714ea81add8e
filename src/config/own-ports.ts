/** Lists the ports of an installation, from the URLs in its settings. */

/** Returns the ports in these URLs. Hosts, users and passwords are ignored. */
export function listPorts(addresses: readonly (string | undefined)[]): readonly number[] {
  return addresses.flatMap((address = '') => {
    const hosts = address.slice(address.lastIndexOf('@') + 1);
    return [...hosts.matchAll(/:(\d{1,5})(?=[,/?#]|$)/g)].map(([, port]) => Number(port));
  });
}
