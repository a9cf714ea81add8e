/** The notation of a name server: its IP address, followed by its port if the port is not 53. Pure. */

const DNS_PORT = 53;

export interface DnsServer {
  /** The IP address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

/** Parses the server. null if the IP address or the port is invalid. */
export function parseDnsServer(text: string): DnsServer | null {
  const isBareIpv6 = /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
  const url = `dns://${isBareIpv6 ? `[${text}]` : text}/`;
  if (/[/?#@\s]/.test(text) || !URL.canParse(url) || !URL.canParse(url.replace('dns', 'http')))
    return null;
  const { port } = new URL(url);
  // The server is parsed as an HTTP URL, because URL parsing normalizes every spelling of an IPv4 address.
  const { hostname } = new URL(url.replace('dns', 'http'));
  const isAddress = hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  if (!isAddress || port === '0') return null;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? DNS_PORT : Number(port) };
}

/** Formats the server in the shortest spelling. */
export function formatDnsServer({ host, port }: DnsServer): string {
  if (port === DNS_PORT) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
