/** Whether credentials would go out in clear: only on private networks http may carry them. */
import ipaddr from 'ipaddr.js';
import { isLoopbackName, isPrivateName } from '../../domain/definitions/private-names';

/** A name without a dot is one of a private network, as those of containers are. */
export function isSentInClear({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  if (protocol !== 'http:') return false;
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'unicast';
  return host.includes('.') && !isLoopbackName(host) && !isPrivateName(host);
}
