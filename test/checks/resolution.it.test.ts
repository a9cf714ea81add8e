/**
 * Tests host names with late, lost, failing or mixed DNS responses. Also tests short names that resolv.conf completes.
 */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPost } from '../../src/checks/post';
import { createResolveHost, type ResolverOptions } from '../../src/checks/resolve-host';
import { completeName, parseResolvConf } from '../../src/checks/search-domains';
import { mapAtMost } from '../../src/platform/map-at-most';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { type Answer, type NameServer, startNameServer } from '../support/name-server';
import { buildDefinition, buildRunner } from '../support/step-builder';

const ALLOWED = ['127.0.0.0/8', '::1/128'];
/**
 * Delay of a late DNS response in milliseconds. It is longer than the wait for the other IP version, but no result
 * depends on it.
 */
const LATE_MS = 120;

/**
 * How DNS responses for an IP version behave. The first label of a name sets the behaviour for IPv6, the second label
 * for IPv4.
 */
const BEHAVIOURS = [
  'works',
  'workslate',
  'dead',
  'deadlate',
  'none',
  'nx',
  'fails',
  'failslate',
  'lost',
];
const ADDRESSES = { ipv6: ['::1', '::ffff:127.0.0.2'], ipv4: ['127.0.0.1', '127.0.0.2'] } as const;

async function behave(name: string, family: 'ipv4' | 'ipv6'): Promise<Answer> {
  const labels = name.split('.');
  const behaviour = labels[family === 'ipv6' ? 0 : 1] ?? '';
  if (behaviour.endsWith('late')) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  const [working, dead] = ADDRESSES[family];
  switch (behaviour.replace(/late$/, '')) {
    case 'works':
      return [working];
    case 'dead':
      return [dead];
    case 'blocked':
      return family === 'ipv6' ? ['fd00::1'] : ['10.0.0.1'];
    case 'none':
      return [];
    case 'nx':
      return 'NXDOMAIN';
    case 'fails':
      return 'SERVFAIL';
    default:
      return undefined;
  }
}

/** The responses for names that are completed from the search list. */
const LISTED: Readonly<Record<string, Answer>> = {
  'web.default.svc.cluster.test': ['127.0.0.1'],
  'api.shop.svc.cluster.test': ['127.0.0.1'],
  'db.office.test': ['127.0.0.1'],
  'broken.default.svc.cluster.test': 'SERVFAIL',
  'www.public.test': ['127.0.0.1'],
  plain: ['127.0.0.1'],
};

let names: NameServer;
let ipv4: LoopbackServer;
let ipv6: Server;
let folder: string;

beforeAll(async () => {
  names = await startNameServer((name, family) => {
    const isListed = /\.(?:default|svc|cluster|office|public)\b|^[a-z]+$|office/.test(name);
    return isListed ? (LISTED[name] ?? 'NXDOMAIN') : behave(name, family);
  });
  ipv4 = await startLoopbackServer((_, response) => response.end('ok'));
  ipv6 = createServer((_, response) => response.end('ok')).listen(ipv4.port, '::1');
  await once(ipv6, 'listening');
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-resolution-'));
});
afterAll(async () => {
  ipv6.close();
  await Promise.all([names.close(), ipv4.close()]);
  await rm(folder, { recursive: true });
});

function resolver(options: ResolverOptions = {}) {
  const hostsFile = join(folder, 'no-hosts');
  return createResolveHost({ servers: [names.address], hostsFile, ...options });
}

async function check(host: string, options: ResolverOptions = {}) {
  const runner = buildRunner({ resolveHost: resolver(options), allowedPrivateTargets: ALLOWED });
  const url = `http://${host}:${ipv4.port}/`;
  const outcome = await runner.runStep(buildDefinition({ url, timeoutMs: 60_000 }), 0, {
    slotMs: 0,
  });
  await runner.close();
  return outcome;
}

const PAIRS = BEHAVIOURS.flatMap((six) => BEHAVIOURS.map((four) => ({ six, four })));

function expectedCode(six: string, four: string): string | null {
  const has = (word: string) => six.startsWith(word) || four.startsWith(word);
  if (has('works')) return null;
  return has('dead') ? 'connection_refused' : 'dns_error';
}

describe('a host name', () => {
  let seen: ReadonlyMap<string, Awaited<ReturnType<typeof check>>>;
  beforeAll(async () => {
    const entries = mapAtMost(PAIRS.length, PAIRS, async ({ six, four }) => {
      const pair = `${six}.${four}`;
      return [pair, await check(`${pair}.test`)] as const;
    });
    seen = new Map(await entries);
  });

  it.each(PAIRS)(
    'a host name is reached through the address family that works: IPv6 $six, IPv4 $four',
    ({ six, four }) => {
      const outcome = seen.get(`${six}.${four}`);
      expect(outcome?.failure?.code ?? null).toBe(expectedCode(six, four));
      expect(outcome?.status).toBe(expectedCode(six, four) === null ? 'up' : 'down');
    },
  );

  it.each([
    ['none.fails', 'its name servers fail'],
    ['fails.none', 'its name servers fail'],
    ['nx.failslate', 'its name servers fail'],
    ['none.lost', 'its name servers do not respond'],
    ['lost.nx', 'its name servers do not respond'],
    ['none.nx', 'has no IP address'],
    ['none.none', 'has no IP address'],
    ['nx.nx', 'does not exist'],
  ])(
    'a host name that cannot be resolved is reported with the relevant cause: %s',
    (pair, words) => {
      expect(seen.get(pair)?.failure?.message).toContain(words);
    },
  );
});

it.each(['blocked.dead', 'dead.blockedlate', 'blockedlate.dead'])(
  'a host name with a refused IP address is refused, whether the lookup ends early or late: %s',
  async (pair) => {
    const { failure } = await check(`${pair}.test`);
    expect(failure?.code).toBe('blocked_target');
    expect(failure?.message).not.toMatch(/10\.0|fd00/);
  },
);

const CLUSTER = 'search default.svc.cluster.test svc.cluster.test cluster.test\noptions ndots:5\n';

describe('a short name', () => {
  it.each([
    ['web', CLUSTER, 'up'],
    ['api.shop', CLUSTER, 'up'],
    ['db', 'domain office.test\n', 'up'],
    ['plain', CLUSTER, 'up'],
    ['www.public.test', CLUSTER, 'up'],
    ['web.', CLUSTER, 'down'],
    ['web', 'nameserver 127.0.0.1\n', 'down'],
  ])('a short name is completed by the rules of resolv.conf: %s', async (host, text, status) => {
    const resolvConf = join(folder, `resolv-${Math.abs(text.length)}.conf`);
    await writeFile(resolvConf, text);
    expect((await check(host, { resolvConf })).status).toBe(status);
  });

  it('a short name that cannot be resolved is reported as it was written, with the relevant cause', async () => {
    const resolvConf = join(folder, 'resolv-cluster.conf');
    await writeFile(resolvConf, CLUSTER);
    expect((await check('broken', { resolvConf })).failure?.message).toBe(
      'DNS lookup failed: broken could not be resolved: its name servers fail.',
    );
    expect((await check('missing', { resolvConf })).failure?.message).toBe(
      'DNS lookup failed: missing does not exist.',
    );
  });

  it.each([
    ['web', '', ['web']],
    ['web', 'search a b', ['web.a', 'web.b', 'web']],
    ['web', 'domain a', ['web.a', 'web']],
    ['web', 'domain a\nsearch b c', ['web.b', 'web.c', 'web']],
    ['web', 'search b\ndomain a', ['web.a', 'web']],
    ['web.x', 'search a', ['web.x', 'web.x.a']],
    ['web.x', 'search a\noptions ndots:2', ['web.x.a', 'web.x']],
    ['web.x.y', 'search a\noptions rotate ndots:2 timeout:1', ['web.x.y', 'web.x.y.a']],
    ['web.', 'search a\noptions ndots:5', ['web']],
    ['web', 'search a. .b ; comment\n# search c', ['web.a', 'web.b', 'web']],
    ['web', 'options ndots:99\nsearch a', ['web.a', 'web']],
    ['web', 'search\n', ['web']],
    ['web', 'options ndots:0\nsearch a', ['web', 'web.a']],
  ])(
    'the host name %s is tried in the order of getaddrinfo with the resolv.conf "%s"',
    (host, text, expected) => {
      expect(completeName(host, parseResolvConf(text))).toEqual(expected);
    },
  );
});

it('host names of alert receivers are resolved in the same way as host names of targets', async () => {
  const resolvConf = join(folder, 'resolv-alerts.conf');
  await writeFile(resolvConf, CLUSTER);
  const rules = { allowedPrivateTargets: ALLOWED, ownPorts: [] };
  const post = createPost({ ...rules, resolveHost: resolver({ resolvConf }) }, 'test', 60_000);
  for (const host of ['web', 'dead.workslate.test']) {
    const request = { url: `http://${host}:${ipv4.port}/`, headers: [], body: '{}' };
    expect(await post(request)).toMatchObject({ status: 200 });
  }
});
