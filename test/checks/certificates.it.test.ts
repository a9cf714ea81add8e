/**
 * Tests certificates. The details of a certificate are reported even if it is refused, and nothing is sent to an
 * untrusted server.
 */
import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { StepRunner } from '../../src/checks/step-runner';
import type { Assertion } from '../../src/contracts/definition';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server';
import { makeCertificate } from '../support/make-certificate';
import { certificate, testAuthority } from '../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

let runner: StepRunner;
const servers: LoopbackServer[] = [];
let requests = 0;

beforeAll(() => {
  runner = buildRunner({ extraAuthorities: [testAuthority()] });
});
afterAll(async () => {
  await runner.close();
  for (const server of servers) await server.close();
});

async function listen(name: string, options: object = {}): Promise<number> {
  const server = createServer({ ...certificate(name), ...options }, (_, response) => {
    requests += 1;
    response.end('ok');
  });
  const listening = await listenOnLoopback(server);
  servers.push(listening);
  return listening.port;
}

async function check(name: string, assertions: readonly Assertion[] = [], options: object = {}) {
  const port = await listen(name, options);
  const definition = buildDefinition({ url: `https://localhost:${port}/`, assertions });
  return await runner.runStep(definition, 0, { slotMs: 0 });
}

it('a good certificate is reported with version, issuer and expiry', async () => {
  const outcome = await check('good');
  expect(outcome).toMatchObject({
    status: 'up',
    tls: {
      version: 'TLSv1.3',
      issuer: 'Keepwatch test authority',
      expiresAt: '2120-01-01T00:00:00.000Z',
      trusted: true,
    },
  });
  expect(outcome.tls?.daysUntilExpiry).toBeGreaterThan(20_000);
  expect(outcome.timings?.tlsMs).toBeGreaterThan(0);
});

it('the outcome of a check identifies a certificate by its fingerprint', async () => {
  const { cert, key } = makeCertificate(Date.now() + 86_400_000 * 10.5);
  const { tls } = await check('good', [], { cert, key });
  const { fingerprint256 } = new X509Certificate(cert);
  expect(tls).toMatchObject({
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    daysUntilExpiry: 10,
  });
});

it.each([
  ['expired', /has expired/],
  ['not-yet-valid', /not valid yet/],
  ['wrong-host', /not for this host name/],
  ['unknown-authority', /authority is unknown|unknown authority/],
  ['self-signed', /self-signed/],
  ['client-only', /not meant for servers/],
])(
  'the bad certificate “%s” is refused with a reason and its details, before anything is sent',
  async (name, words) => {
    requests = 0;
    const outcome = await check(name);
    expect(outcome.failure).toMatchObject({ code: 'tls_error', phase: 'tls' });
    expect(outcome.failure?.message).toMatch(words);
    expect(outcome.tls).toMatchObject({ trusted: false, version: 'TLSv1.3' });
    expect(outcome.tls?.expiresAt).not.toBeNull();
    expect(requests).toBe(0);
  },
);

it('assertions can check the TLS version and the days until expiry', async () => {
  const tls = (
    name: 'version' | 'daysUntilExpiry',
    operator: 'equals' | 'lessThan',
    value: string | number,
  ): Assertion => ({
    type: 'tls',
    name,
    operator,
    value,
    severity: 'fail',
  });
  const assertions = [tls('version', 'equals', 'TLSv1.2'), tls('daysUntilExpiry', 'lessThan', 14)];
  const outcome = await check('good', assertions, { maxVersion: 'TLSv1.2' });
  expect(outcome.assertions.map(({ ok }) => ok)).toEqual([true, true, false]);
});

it('an extra certificate authority that one check trusts is not trusted in other checks', async () => {
  const other = buildRunner();
  const port = await listen('good');
  const definition = buildDefinition({ url: `https://localhost:${port}/` });
  const outcome = await other.runStep(definition, 0, { slotMs: 0 });
  await other.close();
  expect(outcome.failure?.code).toBe('tls_error');
});
