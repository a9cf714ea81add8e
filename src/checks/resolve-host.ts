/**
 * Resolves names with c-ares, which needs no shared thread pool. c-ares only sends DNS queries. So this file itself
 * handles `localhost`, the hosts file and the search domains of resolv.conf.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isLoopbackName } from '../domain/definitions/private-names';
import { completeName, NO_SEARCH, parseResolvConf } from './search-domains';
import { readErrorCode } from './step-failure';

export interface Resolution {
  /**
   * Resolves with IP addresses as soon as some are known. IPv6 and IPv4 addresses alternate. Rejects with a DNS error
   * code.
   */
  readonly addresses: Promise<readonly string[]>;
  /**
   * Resolves with the addresses of the other IP version, if their DNS response comes later (RFC 8305 §3). If both
   * versions are known from the start, resolves with an empty list. Rejects if the later response has no addresses.
   */
  readonly later?: Promise<readonly string[]>;
  /** Cancels the look-up. The promises reject soon afterwards. */
  readonly cancel: () => void;
}

/** Looks up a name. Only a name without a final dot may be completed with search domains. */
export type ResolveHost = (host: string) => Resolution;

export interface ResolverOptions {
  /** The name servers as `address:port`. By default, those of the machine. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /**
   * The file with the rules for completing short names. By default the file of the machine, or none if `servers` is
   * given.
   */
  readonly resolvConf?: string;
  /** Timeout for one question to one server. */
  readonly timeoutMs?: number;
}

const HOSTS_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLV_CONF = '/etc/resolv.conf';
const FILES_KEPT_MS = 10_000;
/** How long to wait for the slower query after the faster one has succeeded (RFC 8305 §3). */
const SECOND_FAMILY_MS = 50;

/** Alternates the IP versions. If one version does not work, only one try is lost (RFC 8305 §4). */
function interleave(first: readonly string[], second: readonly string[]): string[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined);
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const entries = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      entries.set(key, [...(entries.get(key) ?? []), address]);
    }
  }
  return entries;
}

/**
 * Creates a function that returns the parsed content of a file. The file is read again from time to time. A missing
 * file counts as empty.
 */
function createFileReader<Content>(path: string, parse: (text: string) => Content) {
  let content = parse('');
  let readAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<Content> => {
    if (performance.now() - readAt > FILES_KEPT_MS) {
      readAt = performance.now();
      content = parse(await readFile(path, 'utf8').catch(() => ''));
    }
    return content;
  };
}

type Family = { ok: true; addresses: readonly string[] } | { ok: false; error: unknown };

async function readFamily(query: Promise<string[]>): Promise<Family> {
  try {
    return { ok: true, addresses: await query };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * Returns the addresses of both IP versions. If one version takes too long, returns only the addresses of the other
 * version.
 */
async function firstUseful(ipv6: Promise<Family>, ipv4: Promise<Family>): Promise<Family[]> {
  const both = Promise.all([ipv6, ipv4]);
  const early = await Promise.race([ipv6, ipv4]);
  if (!early.ok || early.addresses.length === 0) return await both;
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<Family[]>((resolve) => {
    timer = setTimeout(() => resolve([early]), SECOND_FAMILY_MS);
  });
  return await Promise.race([both, enough]).finally(() => clearTimeout(timer));
}

/** Error codes by precedence. Errors of name servers come first. */
const CODES_BY_PRECEDENCE = [
  'ESERVFAIL',
  'EREFUSED',
  'ECONNREFUSED',
  'ETIMEOUT',
  'ENODATA',
  'ENOTFOUND',
];

function pickMostInformative(errors: readonly unknown[]): unknown {
  const find = (code: string) => errors.find((error) => readErrorCode(error) === code);
  const known = CODES_BY_PRECEDENCE.map(find).find((error) => error !== undefined);
  return known ?? errors[0] ?? Object.assign(new Error('no IP addresses'), { code: 'ENODATA' });
}

interface Found {
  readonly addresses: readonly string[];
  readonly later: Promise<readonly string[]>;
}

function joinFamilies(families: readonly Family[]): readonly string[] {
  const [first = [], second = []] = families.map((one) => (one.ok ? one.addresses : []));
  const addresses = interleave(first, second);
  if (addresses.length > 0) return addresses;
  throw pickMostInformative(families.flatMap((one) => (one.ok ? [] : [one.error])));
}

async function queryBoth(resolver: Resolver, name: string): Promise<Found> {
  const queries = [
    readFamily(resolver.resolve6(name)),
    readFamily(resolver.resolve4(name)),
  ] as const;
  const families = await firstUseful(...queries);
  const addresses = joinFamilies(families);
  if (families.length === queries.length) return { addresses, later: Promise.resolve([]) };
  const early = new Set(addresses);
  const later = Promise.all(queries).then((both) =>
    joinFamilies(both.filter((one) => !one.ok || !one.addresses.some((each) => early.has(each)))),
  );
  return { addresses, later };
}

/** Errors after which other names need not be looked up, because the same servers would fail again. */
const LAST_CODES = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED']);

/** Looks up the names in order. Returns the IP addresses of the first name that has some (resolv.conf(5)). */
async function queryInTurn(resolver: Resolver, names: readonly string[]): Promise<Found> {
  const errors: unknown[] = [];
  for (const name of names) {
    try {
      return await queryBoth(resolver, name);
    } catch (error) {
      errors.push(error);
      if (LAST_CODES.has(readErrorCode(error))) break;
    }
  }
  throw pickMostInformative(errors);
}

/**
 * Creates the look-up function. Each look-up has its own resolver, so that each look-up can be cancelled separately.
 */
export function createResolveHost(options: ResolverOptions = {}): ResolveHost {
  const { servers, hostsFile = HOSTS_FILE, timeoutMs = 2_000 } = options;
  const { resolvConf = servers === undefined ? RESOLV_CONF : undefined } = options;
  const readHosts = createFileReader(hostsFile, parseHosts);
  const readRules =
    resolvConf === undefined
      ? async () => NO_SEARCH
      : createFileReader(resolvConf, parseResolvConf);

  async function find(
    host: string,
    resolver: Resolver,
    isCancelled: () => boolean,
  ): Promise<Found> {
    const known = (await readHosts()).get(host.replace(/\.$/, '')) ?? [];
    if (known.length > 0 || isCancelled()) return { addresses: known, later: Promise.resolve([]) };
    return await queryInTurn(resolver, completeName(host, await readRules()));
  }

  return (host) => {
    if (isLoopbackName(host.replace(/\.$/, ''))) {
      return { addresses: Promise.resolve(['127.0.0.1', '::1']), cancel: () => undefined };
    }
    const resolver = new Resolver({ timeout: timeoutMs, tries: 3 });
    if (servers !== undefined) resolver.setServers(servers);
    let isCancelled = false;
    const found = find(host, resolver, () => isCancelled);
    const later = found.then((one) => one.later);
    // Prevents an unhandled rejection if nothing awaits this promise.
    later.catch(() => undefined);
    const cancel = () => {
      isCancelled = true;
      resolver.cancel();
    };
    return { addresses: found.then(({ addresses }) => addresses), later, cancel };
  };
}
