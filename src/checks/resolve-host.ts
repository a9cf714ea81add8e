/**
 * Names to addresses through c-ares, which has no shared pool of threads that dead names could
 * fill. c-ares answers from DNS alone, so `localhost` and the hosts file are looked at first, and short
 * names are completed as the machine's resolv.conf says.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isLoopbackName } from '../domain/definitions/private-names';
import { completeName, NO_SEARCH, parseResolvConf } from './search-domains';
import { errorCodeOf } from './step-failure';

export interface Resolution {
  /** Of the name, IPv6 and IPv4 in turn, as soon as there are some; rejects with a DNS error code. */
  readonly addresses: Promise<readonly string[]>;
  /** Those of the family whose answer comes later (RFC 8305 §3); rejects when that has none. */
  readonly later?: Promise<readonly string[]>;
  /** Gives up: the promises reject soon. */
  readonly cancel: () => void;
}

/** A name that ends in a dot is not completed. */
export type ResolveHost = (host: string) => Resolution;

export interface ResolverOptions {
  /** `address:port` of name servers; the machine's own by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Says how short names are completed; with name servers of one's own, they are not by default. */
  readonly resolvConf?: string;
  /** Of one question to one server. */
  readonly timeoutMs?: number;
}

const HOSTS_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLV_CONF = '/etc/resolv.conf';
const FILES_KEPT_MS = 10_000;
/** How long the slower of the two queries may take after the faster one has answers (RFC 8305 §3). */
const SECOND_FAMILY_MS = 50;

/** Alternates families, so that a broken one costs one try only (RFC 8305 §4). */
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

/** What a file says, read again from time to time; a machine without it is fine. */
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

/** Both families, or the one that has answers once the other has had its extra time. */
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

/** What is wrong with the name servers matters more than what they say; that a name exists, more than not. */
const TELLING_CODES = ['ESERVFAIL', 'EREFUSED', 'ECONNREFUSED', 'ETIMEOUT', 'ENODATA', 'ENOTFOUND'];

function mostTelling(errors: readonly unknown[]): unknown {
  const find = (code: string) => errors.find((error) => errorCodeOf(error) === code);
  const known = TELLING_CODES.map(find).find((error) => error !== undefined);
  return known ?? errors[0] ?? Object.assign(new Error('no IP addresses'), { code: 'ENODATA' });
}

interface Found {
  readonly addresses: readonly string[];
  readonly later: Promise<readonly string[]>;
}

function addressesOf(families: readonly Family[]): readonly string[] {
  const [first = [], second = []] = families.map((one) => (one.ok ? one.addresses : []));
  const addresses = interleave(first, second);
  if (addresses.length > 0) return addresses;
  throw mostTelling(families.flatMap((one) => (one.ok ? [] : [one.error])));
}

async function queryBoth(resolver: Resolver, name: string): Promise<Found> {
  const queries = [
    readFamily(resolver.resolve6(name)),
    readFamily(resolver.resolve4(name)),
  ] as const;
  const families = await firstUseful(...queries);
  const addresses = addressesOf(families);
  if (families.length === queries.length) return { addresses, later: Promise.resolve([]) };
  const early = new Set(addresses);
  const later = Promise.all(queries).then((both) =>
    addressesOf(both.filter((one) => !one.ok || !one.addresses.some((each) => early.has(each)))),
  );
  return { addresses, later };
}

/** Behind these the same servers would be asked in vain once more. */
const LAST_CODES = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED']);

/** The first of the names that has addresses (resolv.conf(5)). */
async function queryInTurn(resolver: Resolver, names: readonly string[]): Promise<Found> {
  const errors: unknown[] = [];
  for (const name of names) {
    try {
      return await queryBoth(resolver, name);
    } catch (error) {
      errors.push(error);
      if (LAST_CODES.has(errorCodeOf(error))) break;
    }
  }
  throw mostTelling(errors);
}

/** A resolver of its own per name, so that giving up one name leaves the others alone. */
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
    // Nobody may be waiting for it.
    later.catch(() => undefined);
    const cancel = () => {
      isCancelled = true;
      resolver.cancel();
    };
    return { addresses: found.then(({ addresses }) => addresses), later, cancel };
  };
}
