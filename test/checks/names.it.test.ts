/**
 * Tests host names. They are resolved without a shared queue, checked by the target guard, and never looked up a second
 * time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResolveHost, type ResolveHost } from '../../src/checks/resolve-host';
import { type NameServer, startNameServer } from '../support/name-server';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const NAMES: Readonly<Record<string, readonly string[] | 'NXDOMAIN' | 'SERVFAIL'>> = {
  'fine.test': ['127.0.0.1'],
  'both.test': ['127.0.0.1', '::1'],
  'public.test': ['192.0.2.1'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
  'empty.test': [],
  'gone.test': 'NXDOMAIN',
  'broken.test': 'SERVFAIL',
};

let server: NameServer;
let target: RecordingTarget;
let resolveHost: ResolveHost;
let folder: string;
let release = (): void => undefined;
/** The response for names that begin with `held-`. It is sent when `release` is called. */
const held = new Promise<'SERVFAIL'>((resolve) => {
  release = () => resolve('SERVFAIL');
});

beforeAll(async () => {
  server = await startNameServer((name) => (name.startsWith('held-') ? held : NAMES[name]));
  target = await startRecordingTarget((_, response) => response.end('ok'));
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-names-'));
  const hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '127.0.0.1 listed.test other.test # text\n::1 six.test\nbroken line\n',
  );
  resolveHost = createResolveHost({ servers: [server.address], hostsFile });
});
afterAll(async () => {
  await Promise.all([server.close(), target.close()]);
  await rm(folder, { recursive: true });
});

async function check(
  host: string,
  { timeoutMs = 30_000, resolve = resolveHost, allowed = ['127.0.0.0/8'] } = {},
) {
  const runner = buildRunner({ resolveHost: resolve, allowedPrivateTargets: allowed });
  const url = `http://${host}:${target.port}/`;
  const outcome = await runner.runStep(buildDefinition({ url, timeoutMs }), 0, { slotMs: 0 });
  await runner.close();
  return outcome;
}

describe('a host name', () => {
  it.each(['fine.test', 'listed.test', 'localhost', 'FINE.test', 'fine.test.'])(
    'a host name that resolves to an allowed IP address is checked: %s',
    async (host) => {
      const outcome = await check(host);
      expect(outcome).toMatchObject({ status: 'up', response: { remoteIp: '127.0.0.1' } });
      expect(outcome.timings?.dnsMs).not.toBeNull();
    },
  );

  it.each([
    ['gone.test', /does not exist/],
    ['empty.test', /has no IP address/],
    ['broken.test', /name servers fail/],
  ])('a host name without an IP address fails as a DNS failure: %s', async (host, words) => {
    const { failure } = await check(host);
    expect(failure).toMatchObject({ code: 'dns_error', phase: 'dns' });
    expect(failure?.message).toMatch(words);
  });

  it('a host name with name servers that never respond fails within the deadline', async () => {
    // The timeout is much shorter than the time that name servers get.
    const { failure } = await check('silent.test', { timeoutMs: 300 });
    expect(failure).toMatchObject({
      code: 'dns_error',
      phase: 'dns',
      message: expect.stringContaining('after 0.3 s'),
    });
  });
});

describe('the target guard after a lookup', () => {
  it.each(['mixed.test', 'public.test'])(
    'the target guard refuses %s, because one of its IP addresses is refused',
    async (host) => {
      const { failure, attempts } = await check(host);
      expect(failure?.code).toBe('blocked_target');
      expect(JSON.stringify([failure, attempts])).not.toMatch(/10\.0\.0|192\.0\.2/);
    },
  );

  it('the target guard never looks up a name again between its decision and the connection', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const rebinding: ResolveHost = () => {
      asked += 1;
      return { addresses: Promise.resolve(answers.shift() ?? []), cancel: () => undefined };
    };
    const outcome = await check('rebinding.test', { resolve: rebinding });
    expect(outcome).toMatchObject({ status: 'up', response: { remoteIp: '127.0.0.1' } });
    expect(asked).toBe(1);
    const second = await check('rebinding.test', { resolve: rebinding });
    expect(second.failure?.code).toBe('blocked_target');
  });

  it('the target guard allows `localhost` if one of its two IP addresses is allowed', async () => {
    expect(await check('localhost', { allowed: ['127.0.0.0/8'] })).toMatchObject({ status: 'up' });
    expect(await check('localhost', { allowed: [] })).toMatchObject({ status: 'down' });
  });
});

it('a check tries the second IP address of a host if the first address refuses the connection', async () => {
  const addresses = Promise.resolve(['127.0.0.2', '127.0.0.1']);
  const outcome = await check('two.test', {
    resolve: () => ({ addresses, cancel: () => undefined }),
  });
  expect(outcome).toMatchObject({ status: 'up', response: { remoteIp: '127.0.0.1' } });
});

it('eight hanging lookups do not delay the check of another host', async () => {
  const runner = buildRunner({ resolveHost });
  const run = (host: string) =>
    runner.runStep(buildDefinition({ url: `http://${host}:${target.port}/` }), 0, { slotMs: 0 });
  await run('fine.test');
  let given = 0;
  const hanging = Array.from({ length: 8 }, async (_, index) => {
    const outcome = await run(`held-${index}.test`);
    given += 1;
    return outcome;
  });
  const healthy = await Promise.all(Array.from({ length: 10 }, () => run('fine.test')));
  expect(healthy.map(({ status }) => status)).toEqual(Array(10).fill('up'));
  expect(given).toBe(0);
  release();
  const ends = await Promise.all(hanging);
  expect(ends.map(({ failure }) => failure?.code)).toEqual(Array(8).fill('dns_error'));
  await runner.close();
});
