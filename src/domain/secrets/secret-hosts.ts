/**
 * Where a secret may be sent: a list like `api.example.com`, `*.example.com`, `api.example.com:8443` or
 * `http://10.0.0.5:8080`. Without a scheme https is meant, without a port the usual one. It sends nothing.
 */

const PATTERN = /^(?:(https?):\/\/)?(\*\.)?([^*\s/@?#:[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** As a URL would hold it (lower case, IDNA, no usual port), or null for what is no pattern. */
export function normalHostPattern(text: string): string | null {
  const [matched, scheme = 'https', wild = '', host = '', port] = PATTERN.exec(text) ?? [];
  if (matched === undefined || (wild !== '' && host.startsWith('['))) return null;
  const address = `${scheme}://${host}${port === undefined ? '' : `:${port}`}/`;
  if (!URL.canParse(address)) return null;
  const { protocol, host: kept } = new URL(address);
  return `${protocol === 'http:' ? 'http://' : ''}${wild}${kept}`;
}

/** Whether a URL fits one of the patterns; `*.x` means every name under x, and not x. */
export function isAllowedFor(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  patterns: readonly string[],
): boolean {
  return patterns.some((pattern) => {
    const scheme = pattern.startsWith('http://') ? 'http:' : 'https:';
    const rest = pattern.replace(/^https?:\/\//, '');
    const [, host = '', wantedPort = ''] = /^(.*?)(?::(\d+))?$/.exec(rest) ?? [];
    if (scheme !== protocol || wantedPort !== port) return false;
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
  });
}

/** How a list of hosts would have to name this URL. */
export function hostPatternOf({ protocol, host }: Pick<URL, 'protocol' | 'host'>): string {
  return protocol === 'https:' ? host : `${protocol}//${host}`;
}
