/** Resolves names as if they had only IP addresses of one version. */
import { isIP } from 'node:net';
import type { IpFamily } from '../../contracts/definitions/ip-family';
import type { ResolveHost } from '../resolve-host';
import { readErrorCode, StepFailure } from '../step-failure';

/** Error codes which mean that a name has no IP addresses of the version. */
const NONE: readonly string[] = ['ENODATA', 'ENOTFOUND'];

/**
 * Wraps the resolver. If a name has no IP address of the version, the wrapped resolver rejects with the code `ENOIPV4`
 * or `ENOIPV6`.
 */
export function restrictFamily(resolveHost: ResolveHost, family: IpFamily): ResolveHost {
  if (family === 'any') return resolveHost;
  const pick = (addresses: readonly string[]) =>
    addresses.filter((address) => isIP(address) === Number(family));
  return (host) => {
    const { addresses, later = Promise.resolve([]), cancel } = resolveHost(host);
    const others = later.then(pick, (error: unknown) => {
      if (NONE.includes(readErrorCode(error))) return [];
      throw error;
    });
    // Prevents an unhandled rejection if nothing awaits this promise.
    others.catch(() => undefined);
    const wanted = addresses.then(async (first) => {
      const found = pick(first);
      const all = found.length > 0 ? found : await others;
      if (all.length > 0) return all;
      throw Object.assign(new Error(`no IPv${family}`), { code: `ENOIPV${family}` });
    });
    return { addresses: wanted, cancel };
  };
}

/** Throws StepFailure if the host is an IP address of the other version. */
export function requireFamily(host: string, family: IpFamily): void {
  const version = isIP(host);
  if (family === 'any' || version === 0 || version === Number(family)) return;
  throw new StepFailure('dns_error', `${host} is not an IP address of version ${family}.`, 'dns');
}
