/**
 * The hosts that may receive a secret, like `api.example.com`, `*.example.com`, `api.example.com:8443` or
 * `http://10.0.0.5:8080`. For checks of type tcp, like `tcp://10.0.0.5:6379`. The default scheme is https. The default
 * port is that of the scheme. For tcp, there is no default port. A WebSocket is treated like HTTP.
 */

const PATTERN = /^(?:(https?|tcp):\/\/)?(\*\.)?([^*\s/@?#:[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/**
 * Returns the pattern in the normal form of a URL (lower case, IDNA, without the default port). null if the text is not
 * a pattern.
 */
export function normalizeHostPattern(text: string): string | null {
  const [matched, scheme = 'https', wild = '', host = '', port] = PATTERN.exec(text) ?? [];
  if (matched === undefined || (wild !== '' && host.startsWith('['))) return null;
  if (scheme.toLowerCase() === 'tcp') return normalTcpPattern(wild, host, port);
  const address = `${scheme}://${host}${port === undefined ? '' : `:${port}`}/`;
  if (!URL.canParse(address)) return null;
  const { protocol, host: kept } = new URL(address);
  return `${protocol === 'http:' ? 'http://' : ''}${wild}${kept}`;
}

function normalTcpPattern(wild: string, host: string, port: string | undefined): string | null {
  const number = Number(port ?? 0);
  if (number < 1 || number > 65_535 || !URL.canParse(`http://${host}/`)) return null;
  return `tcp://${wild}${new URL(`http://${host}/`).hostname}:${number}`;
}

/** Returns the scheme of HTTP for the scheme of a WebSocket. */
function toHttpScheme(protocol: string): string {
  if (protocol === 'wss:') return 'https:';
  return protocol === 'ws:' ? 'http:' : protocol;
}

/** True if a URL matches one of the patterns. `*.x` matches every name under x, but not x itself. */
export function isAllowedFor(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  patterns: readonly string[],
): boolean {
  return patterns.some((pattern) => {
    const [, scheme = 'https', host = '', wantedPort = ''] =
      /^(?:(\w+):\/\/)?(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
    if (`${scheme}:` !== toHttpScheme(protocol) || wantedPort !== port) return false;
    return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
  });
}

/** Returns the pattern that allows exactly this URL's host. */
export function formatHostPattern({ protocol, host }: Pick<URL, 'protocol' | 'host'>): string {
  const scheme = toHttpScheme(protocol);
  return scheme === 'https:' ? host : `${scheme}//${host}`;
}
