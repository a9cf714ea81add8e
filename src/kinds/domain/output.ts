/**
 * Parses the responses of RDAP servers, and IANA's list of these servers (RFC 9083, RFC 9224). The text is untrusted.
 * Pure.
 */
import { readList, readRecord, readText } from '../../schemas/loose';

export interface Registration {
  /** The end of the registration. null means that the registry does not publish the date. */
  readonly expiresAtMs: number | null;
  readonly registrar: string | null;
  /** The registry's statuses in lower case, such as `client transfer prohibited`. */
  readonly statuses: readonly string[];
}

const SHOWN_MAX = 30;
const TEXT_MAX = 100;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function shortText(value: unknown): string {
  return readText(value).slice(0, TEXT_MAX);
}

/** Parses an RDAP response. null if it is not about a domain. */
export function readRegistration(text: string): Registration | null {
  const domain = readRecord(parse(text));
  if (readText(domain['objectClassName']).toLowerCase() !== 'domain') return null;
  const expiries = readList(domain['events'])
    .map(readRecord)
    .filter(({ eventAction }) => readText(eventAction).toLowerCase() === 'expiration')
    .map(({ eventDate }) => Date.parse(readText(eventDate)))
    .filter((atMs) => Number.isFinite(atMs));
  return {
    expiresAtMs: expiries[0] ?? null,
    registrar: findRegistrar(readList(domain['entities'])),
    statuses: readList(domain['status'])
      .slice(0, SHOWN_MAX)
      .map((status) => shortText(status).toLowerCase()),
  };
}

function findRegistrar(entities: readonly unknown[]): string | null {
  const registrar = entities
    .map(readRecord)
    .find(({ roles }) =>
      readList(roles).some((role) => readText(role).toLowerCase() === 'registrar'),
    );
  const [, properties] = readList(registrar?.['vcardArray']);
  const name = readList(properties).find((property) => readList(property)[0] === 'fn');
  const shown = shortText(readList(name)[3]);
  return shown === '' ? null : shown;
}

/** Maps a domain suffix in lower case to the URL of its server, which ends with a slash. */
export type RdapServers = ReadonlyMap<string, string>;

/** Parses the list of servers. null if the text is not such a list. */
export function readRdapServers(text: string): RdapServers | null {
  const { services } = readRecord(parse(text));
  if (!Array.isArray(services)) return null;
  const entries = readList(services).flatMap((service) => {
    const [suffixes, urls] = readList(service).map(readList);
    const base = chooseUrl((urls ?? []).map(readText));
    if (base === null) return [];
    return (suffixes ?? []).map((suffix) => [readText(suffix).toLowerCase(), base] as const);
  });
  return entries.length === 0 ? null : new Map(entries);
}

/** Returns one of the URLs, preferably https, with a final slash. null if no URL is usable. */
function chooseUrl(urls: readonly string[]): string | null {
  const usable = urls.filter((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
  const url = usable.find((one) => /^https:/i.test(one)) ?? usable[0];
  if (url === undefined) return null;
  return url.endsWith('/') ? url : `${url}/`;
}

/** Returns the server for the longest suffix in the list. null if no suffix matches. */
export function findRdapServer(servers: RdapServers, domain: string): string | null {
  const labels = domain.split('.');
  for (let at = 1; at < labels.length; at += 1) {
    const server = servers.get(labels.slice(at).join('.'));
    if (server !== undefined) return server;
  }
  return null;
}
