/**
 * Names to addresses through c-ares, which has no shared pool of threads that dead names could
 * fill. c-ares answers from DNS alone, so `localhost` and the hosts file are looked at first.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isLoopbackName } from './target-guard';

export interface Resolution {
  /** All addresses of the name, IPv6 and IPv4 in turn; rejects with a DNS error code. */
  readonly addresses: Promise<readonly string[]>;
  /** Gives up: the promise rejects soon. */
  readonly cancel: () => void;
}

export type ResolveHost = (host: string) => Resolution;

export interface ResolverOptions {
  /** `address:port` of name servers; the machine's own by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const HOSTS_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const HOSTS_KEPT_MS = 10_000;
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

function createHostsFile(path: string) {
  let entries: ReadonlyMap<string, readonly string[]> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (host: string): Promise<readonly string[]> => {
    if (performance.now() - readAt > HOSTS_KEPT_MS) {
      readAt = performance.now();
      // A machine without a hosts file is fine.
      entries = parseHosts(await readFile(path, 'utf8').catch(() => ''));
    }
    return entries.get(host) ?? [];
  };
}

type Family = { ok: true; addresses: string[] } | { ok: false; error: unknown };

async function familyOf(query: Promise<string[]>): Promise<Family> {
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

async function queryBoth(resolver: Resolver, host: string): Promise<readonly string[]> {
  const ipv6 = familyOf(resolver.resolve6(host));
  const ipv4 = familyOf(resolver.resolve4(host));
  const families = await firstUseful(ipv6, ipv4);
  const found = families.map((family) => (family.ok ? family.addresses : []));
  const addresses = interleave(found[0] ?? [], found[1] ?? []);
  if (addresses.length > 0) return addresses;
  const failed = families.find((family) => !family.ok);
  throw failed !== undefined && !failed.ok ? failed.error : new Error('no IP addresses');
}

/** A resolver of its own per name, so that giving up one name leaves the others alone. */
export function createResolveHost({
  servers,
  hostsFile = HOSTS_FILE,
}: ResolverOptions = {}): ResolveHost {
  const findInHosts = createHostsFile(hostsFile);

  return (host) => {
    if (isLoopbackName(host)) {
      return { addresses: Promise.resolve(['127.0.0.1', '::1']), cancel: () => undefined };
    }
    const resolver = new Resolver({ timeout: 2_000, tries: 3 });
    if (servers !== undefined) resolver.setServers(servers);
    let isCancelled = false;
    const addresses = findInHosts(host).then((known) =>
      known.length > 0 || isCancelled ? known : queryBoth(resolver, host),
    );
    const cancel = () => {
      isCancelled = true;
      resolver.cancel();
    };
    return { addresses, cancel };
  };
}
