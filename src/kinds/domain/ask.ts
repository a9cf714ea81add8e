/**
 * Queries registries of domains with RDAP, at most once a day per domain and process, because registries block frequent
 * clients. Requests go through the target guard.
 */
import { type AttemptResult, runAttempt } from '../../checks/attempt';
import type { ConnectionDependencies } from '../../checks/open-connection';
import type { Failure } from '../../contracts/outcome';
import {
  findRdapServer,
  type RdapServers,
  type Registration,
  readRdapServers,
  readRegistration,
} from './output';

const DEFAULT_RDAP_BOOTSTRAP_URL = 'https://data.iana.org/rdap/dns.json';

/** The servers of the largest registries, which are used if the list cannot be loaded. */
const BUILT_IN: RdapServers = new Map([
  ['com', 'https://rdap.verisign.com/com/v1/'],
  ['net', 'https://rdap.verisign.com/net/v1/'],
  ['org', 'https://rdap.publicinterestregistry.org/rdap/'],
]);

const BOOTSTRAP_MS = 3_000;
const REDIRECTS_MAX = 3;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The maximum number of cached domains. The oldest entry is evicted first. */
const REMEMBERED_MAX = 10_000;

const SLOW = 'The RDAP server has not responded yet, so the domain could not be checked.';

/** The result of asking a registry about a domain. */
export type DomainFinding =
  | {
      readonly kind: 'registered';
      readonly registration: Registration;
      readonly remoteIp: string;
      readonly askedAtMs: number;
      readonly tookMs: number;
    }
  | { readonly kind: 'unregistered'; readonly remoteIp: string; readonly tookMs: number }
  /** The domain has no RDAP server, or its server gave no valid response. */
  | { readonly kind: 'unknown'; readonly reason: string };

interface DomainRegistry {
  /** Returns a finding that is at most a day old. Never rejects. */
  readonly ask: (domain: string, timeoutMs: number) => Promise<DomainFinding>;
}

export interface RegistryNeeds {
  readonly connection: ConnectionDependencies;
  readonly userAgent: string;
  readonly rdapBootstrapUrl?: string | undefined;
  readonly now?: (() => number) | undefined;
}

interface Remembered<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

type Fetch = (url: string, timeoutMs: number) => Promise<AttemptResult>;

function createFetch({ connection, userAgent }: RegistryNeeds): Fetch {
  const headers = [
    { name: 'user-agent', value: userAgent },
    { name: 'accept', value: 'application/rdap+json, application/json' },
  ];
  return (url, timeoutMs) =>
    runAttempt(
      {
        request: { method: 'GET', url: new URL(url), headers, body: null },
        timeoutMs,
        redirectsMax: REDIRECTS_MAX,
        holdSecrets: async (texts) => texts.map(() => false),
        cookies: null,
        auth: null,
      },
      connection,
    );
}

/**
 * Provides the servers of all registries. If loading the list fails, uses the most recently loaded list, or the
 * built-in one.
 */
function createServerList(fetch: Fetch, bootstrapUrl: string, now: () => number) {
  let known: Remembered<Promise<RdapServers>> | null = null;
  let last = BUILT_IN;

  async function read(): Promise<RdapServers> {
    const { response, failure } = await fetch(bootstrapUrl, BOOTSTRAP_MS);
    const isGood = failure === null && response?.head.status === 200;
    const servers = isGood ? readRdapServers(response.text) : null;
    if (servers === null && known !== null) known = { ...known, untilMs: now() + HOUR_MS };
    last = servers ?? last;
    return last;
  }

  return (timeoutMs: number): Promise<RdapServers> => {
    if (known === null || known.untilMs <= now())
      known = { value: read(), untilMs: now() + DAY_MS };
    return waitFor(known.value, timeoutMs / 2, () => last);
  };
}

/**
 * Waits for the value. After the timeout, returns a replacement. The value is still computed after the timeout, for
 * later callers.
 */
async function waitFor<Value>(
  value: Promise<Value>,
  timeoutMs: number,
  replace: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(replace()), timeoutMs);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function createDomainRegistry(needs: RegistryNeeds): DomainRegistry {
  const { rdapBootstrapUrl = DEFAULT_RDAP_BOOTSTRAP_URL, now = Date.now } = needs;
  const fetch = createFetch(needs);
  const listServers = createServerList(fetch, rdapBootstrapUrl, now);
  const findings = new Map<string, Remembered<Promise<DomainFinding>>>();

  async function lookUp(domain: string, timeoutMs: number): Promise<DomainFinding> {
    const endsAtMs = performance.now() + timeoutMs;
    const base = findRdapServer(await listServers(timeoutMs), domain);
    if (base === null) return unknown(describeMissingServer(domain));
    const url = `${base}domain/${encodeURIComponent(domain)}`;
    const attempt = await fetch(url, Math.max(1, endsAtMs - performance.now()));
    return readFinding(attempt, base, now());
  }

  function remember(domain: string, value: Promise<DomainFinding>): void {
    findings.delete(domain);
    findings.set(domain, { value, untilMs: now() + DAY_MS });
    const [oldest] = findings.keys();
    if (findings.size > REMEMBERED_MAX && oldest !== undefined) findings.delete(oldest);
  }

  return {
    ask: async (domain, timeoutMs) => {
      const known = findings.get(domain);
      if (known !== undefined && known.untilMs > now())
        return await waitFor(known.value, timeoutMs, () => unknown(SLOW));
      const asking = lookUp(domain, timeoutMs);
      remember(domain, asking);
      const finding = await asking;
      // Only registered domains stay cached, because other findings may change soon. Checks are at least an hour apart,
      // so the registry is not asked too often.
      if (finding.kind !== 'registered') findings.delete(domain);
      return finding;
    },
  };
}

function readFinding(
  { response, failure, timings }: AttemptResult,
  base: string,
  askedAtMs: number,
): DomainFinding {
  if (failure !== null || response === null) return unknown(describeUnavailable(base, failure));
  const { remoteIp, head, text } = response;
  const tookMs = timings.totalMs;
  if (head.status === 404) return { kind: 'unregistered', remoteIp, tookMs };
  const registration = head.status === 200 ? readRegistration(text) : null;
  if (registration === null) return unknown(describeBadResponse(base, head.status));
  return { kind: 'registered', registration, remoteIp, askedAtMs, tookMs };
}

function unknown(reason: string): DomainFinding {
  return { kind: 'unknown', reason };
}

function describeMissingServer(domain: string): string {
  const suffix = domain.slice(domain.lastIndexOf('.'));
  return `No RDAP server is known for ${suffix}, so the domain could not be checked.`;
}

function describeUnavailable(base: string, failure: Failure | null): string {
  const said = failure === null ? 'It did not respond.' : failure.message;
  return `The RDAP server ${new URL(base).host} is not available, so the domain could not be checked. ${said}`;
}

function describeBadResponse(base: string, status: number): string {
  const { host } = new URL(base);
  return status === 200
    ? `The RDAP server ${host} did not return a domain.`
    : `The RDAP server ${host} responded with the status ${status}, so the domain could not be checked.`;
}
