/**
 * Tests certificate chains. The certificate that expires first counts, and the failure names it once it has expired.
 */
import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { listenOnLoopback } from '../support/loopback-server';
import { makeCertificate } from '../support/make-certificate';
import { buildDefinition, buildRunner } from '../support/step-builder';

const DAY_MS = 86_400_000;
const inDays = (days: number): number => Date.now() + (days + 0.5) * DAY_MS;

interface Days {
  readonly leaf: number;
  readonly intermediates: readonly number[];
  readonly root: number;
}

function makeChain({ leaf, intermediates, root: rootDays }: Days) {
  const root = makeCertificate(inDays(rootDays), 'root.test', {
    isAuthority: true,
    commonName: 'Test root',
  });
  let { signer } = root;
  const between = intermediates.map((days, index) => {
    const made = makeCertificate(inDays(days), 'between.test', {
      signer,
      isAuthority: true,
      commonName: `Test intermediate ${index + 1}`,
    });
    signer = made.signer;
    return made;
  });
  const own = makeCertificate(inDays(leaf), 'localhost', { signer });
  return { root, between, own };
}

async function check(authority: string, options: TlsOptions) {
  const runner = buildRunner({ extraAuthorities: [authority] });
  const server = await listenOnLoopback(createServer(options, (_, response) => response.end('ok')));
  const url = `https://localhost:${server.port}/`;
  const definition = buildDefinition({ url, timeoutMs: 30_000 });
  const outcome = await runner.runStep(definition, 0, { slotMs: 0 });
  await Promise.all([runner.close(), server.close()]);
  return outcome;
}

function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
}

test.each<[string, Days, number]>([
  ['the leaf', { leaf: 10, intermediates: [100], root: 1_000 }, 10],
  ['an intermediate', { leaf: 399, intermediates: [5], root: 1_000 }, 5],
  ['the upper of two intermediates', { leaf: 399, intermediates: [3, 90], root: 1_000 }, 3],
  ['the lower of two intermediates', { leaf: 399, intermediates: [90, 3], root: 1_000 }, 3],
  ['the leaf without an intermediate', { leaf: 7, intermediates: [], root: 1_000 }, 7],
  [
    'the leaf, even if the trusted root expires first',
    { leaf: 40, intermediates: [60], root: 2 },
    40,
  ],
])('the outcome reports the days until expiry of %s', async (_name, days, expected) => {
  const { root, between, own } = makeChain(days);
  const cert = [own, ...between.toReversed()].map((one) => one.cert).join('');
  const { status, tls } = await check(root.cert, { cert, key: own.key });
  expect({ status, days: tls?.daysUntilExpiry, isTrusted: tls?.trusted }).toEqual({
    status: 'up',
    days: expected,
    isTrusted: true,
  });
  const all = [own, ...between];
  const fingerprints = all.map((one) => fingerprintOf(one.cert));
  const index = [days.leaf, ...days.intermediates].indexOf(expected);
  expect(tls?.fingerprint).toBe(fingerprints[index]);
});

test.each<[string, Days, string]>([
  ['leaf', { leaf: -3, intermediates: [100], root: 1_000 }, 'The certificate has expired.'],
  [
    'intermediate',
    { leaf: 399, intermediates: [-3], root: 1_000 },
    'The intermediate certificate “Test intermediate 1” has expired.',
  ],
  [
    'upper intermediate',
    { leaf: 399, intermediates: [-3, 90], root: 1_000 },
    'The intermediate certificate “Test intermediate 1” has expired.',
  ],
])('the expired %s of a chain is named with its own expiry date', async (_name, days, message) => {
  const { root, between, own } = makeChain(days);
  const cert = [own, ...between.toReversed()].map((one) => one.cert).join('');
  const { failure, tls } = await check(root.cert, { cert, key: own.key });
  expect(failure).toMatchObject({ code: 'tls_error', phase: 'tls', message });
  expect(tls?.daysUntilExpiry).toBe(-3);
});

test('if a server requires a client certificate, the failure says so', async () => {
  const { root, own } = makeChain({ leaf: 10, intermediates: [], root: 100 });
  const { cert, key } = own;
  const { failure } = await check(root.cert, {
    cert,
    key,
    ca: root.cert,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
  });
  expect(failure).toMatchObject({
    code: 'tls_error',
    message: expect.stringContaining('requires a client certificate'),
  });
});
