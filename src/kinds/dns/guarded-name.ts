/**
 * Converts a name to the form that the target guard checks. The guard checks the name before the name servers of the
 * probe's machine receive it. Pure.
 */

/**
 * Returns the IP address in a reverse name (RFC 1035 §3.5, RFC 3596 §2.5). For other names, returns the normalised
 * name.
 */
export function toGuardedName(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  const reversed = name.split('.').slice(0, -2).toReversed();
  if (/^(?:\d{1,3}\.){4}in-addr\.arpa$/.test(name)) return reversed.join('.');
  if (!/^(?:[0-9a-f]\.){32}ip6\.arpa$/.test(name)) return name;
  return (reversed.join('').match(/.{4}/g) ?? []).join(':');
}
