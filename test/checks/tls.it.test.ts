/**
 * Tests how a request verifies certificates, and which certificate it presents: private authorities, pins, hosts and
 * mutual TLS.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { TLSSocket, TlsOptions } from 'node:tls';
import type { StepDefinition } from '../../src/contracts/definition';
import type { Tls } from '../../src/contracts/definitions/tls';
import type { ProbeSecret } from '../../src/contracts/probe-protocol';
import { listenOnLoopback } from '../support/loopback-server';
import { makeCertificate, type SigningCertificate } from '../support/make-certificate';
import { buildDefinition, buildRunner } from '../support/step-builder';

const DAY_MS = 86_400_000;
const inDays = (days: number): number => Date.now() + (days + 0.5) * DAY_MS;
const signedBy = ({ signer }: SigningCertificate, days = 90, host = 'localhost') =>
  makeCertificate(inDays(days), host, { signer });
const authorityNamed = (commonName: string) =>
  makeCertificate(inDays(1_000), 'root.test', { isAuthority: true, commonName });

const root = authorityNamed('Company root');
const other = authorityNamed('Other root');
const own = signedBy(root);
const client = signedBy(root, 20);
const PASSPHRASE = 'pass phrase of the key';
const encrypted = createPrivateKey(client.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE })
  .toString();
const secrets: readonly ProbeSecret[] = [
  { name: 'ca', value: root.cert },
  { name: 'certificate', value: client.cert },
  { name: 'key', value: client.key },
  { name: 'encrypted', value: encrypted },
  { name: 'passphrase', value: PASSPHRASE },
  { name: 'text', value: 'no PEM at all' },
  { name: 'broken', value: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
  { name: 'other-key', value: own.key },
];
const IDENTITY: Tls = { certificate: '{{secret:certificate}}', key: '{{secret:key}}' };
const trustsRoot: Tls = { trust: { ca: root.cert } };
/** Options of a server that requires a client certificate of the company. */
const MUTUAL: TlsOptions = { ca: root.cert, requestCert: true, rejectUnauthorized: true };

function fingerprintOf({ cert }: { readonly cert: string }): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
}

const runner = buildRunner();
afterAll(() => runner.close());

function startTarget(options: TlsOptions) {
  return listenOnLoopback(createServer(options, (_, response) => response.end()));
}

interface Asked {
  readonly tls?: Tls | undefined;
  readonly given?: readonly ProbeSecret[];
  readonly step?: Partial<StepDefinition>;
}

function ask(port: number, { tls, given = secrets, step = {} }: Asked) {
  const url = `https://localhost:${port}/`;
  const definition = buildDefinition({ url, timeoutMs: 30_000, tls, ...step });
  return runner.runStep(definition, 0, { slotMs: 0, secrets: given });
}

describe('a server with a certificate of a private authority', () => {
  let port: number;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ port, close } = await startTarget({ cert: own.cert, key: own.key }));
  });
  afterAll(() => close());

  test.each<[string, Tls | undefined]>([
    ['is not trusted by default', undefined],
    ['is not trusted by the well-known authorities', { trust: 'system', checkHost: false }],
    ['is not trusted by another authority', { trust: { ca: other.cert } }],
  ])('a server with a certificate of a private authority %s', async (_, tls) => {
    const outcome = await ask(port, { tls });
    expect(outcome).toMatchObject({
      status: 'down',
      failure: { code: 'tls_error', phase: 'tls' },
      tls: { trusted: false },
      response: null,
    });
  });

  test.each<[string, Tls]>([
    ['through its authority', trustsRoot],
    ['through its authority in a secret', { trust: { ca: '{{secret:ca}}' } }],
    ['through one of two authorities', { trust: { ca: `${other.cert}${root.cert}` } }],
    ['through its fingerprint', { trust: { pin: [fingerprintOf(own)] } }],
  ])('a server with a certificate of a private authority is trusted %s', async (_, tls) => {
    const outcome = await ask(port, { tls });
    expect(outcome).toMatchObject({ status: 'up', failure: null, tls: { trusted: true } });
    expect(outcome.tls).not.toHaveProperty('forHost');
  });

  test('a certificate of a private authority is accepted with `trust: unchecked`, and reported in full', async () => {
    const outcome = await ask(port, { tls: { trust: 'unchecked' } });
    expect(outcome).toMatchObject({
      status: 'up',
      tls: {
        trusted: false,
        forHost: true,
        issuer: 'Company root',
        daysUntilExpiry: 90,
        version: expect.stringMatching(/^TLSv1/),
        fingerprint: fingerprintOf(own),
      },
    });
  });

  test('a certificate of a private authority is refused if another certificate is pinned', async () => {
    const outcome = await ask(port, { tls: { trust: { pin: [fingerprintOf(other)] } } });
    expect(outcome).toMatchObject({
      status: 'down',
      failure: {
        code: 'tls_error',
        message: `The certificate has the SHA-256 ${fingerprintOf(own)}, which is not pinned.`,
      },
      tls: { trusted: false },
    });
  });

  test('a certificate of a private authority is refused if it does not cover `serverName`', async () => {
    const outcome = await ask(port, { tls: { ...trustsRoot, serverName: 'inner.example' } });
    expect(outcome.failure).toMatchObject({
      message: 'The certificate is not for this host name.',
    });
  });

  test.each<[string, Tls]>([
    ['tls.trust.ca contains no certificate in PEM.', { trust: { ca: '{{secret:text}}' } }],
    [
      'tls.trust.ca contains a certificate that cannot be read.',
      { trust: { ca: '{{secret:broken}}' } },
    ],
    [
      'tls.certificate contains no certificate in PEM.',
      { ...IDENTITY, certificate: '{{secret:text}}' },
    ],
    ['tls.key contains no private key in PEM.', { ...IDENTITY, key: '{{secret:text}}' }],
    ['tls.key is not the key of tls.certificate.', { ...IDENTITY, key: '{{secret:other-key}}' }],
    [
      'tls.key is encrypted, but tls.passphrase is not set.',
      { ...IDENTITY, key: '{{secret:encrypted}}' },
    ],
    [
      'tls.key cannot be read with tls.passphrase.',
      { ...IDENTITY, key: '{{secret:encrypted}}', passphrase: '{{secret:text}}' },
    ],
  ])(
    'a server with a certificate of a private authority gets no request: %s',
    async (message, tls) => {
      const outcome = await ask(port, { tls, step: { retries: 2 } });
      expect(outcome).toMatchObject({
        status: 'unknown',
        failure: { code: 'secret_invalid', message, phase: 'prepare' },
        response: null,
        attempts: [],
      });
    },
  );

  test('a server with a private authority gets no request if a secret is missing or not allowed for the server', async () => {
    const without = await ask(port, { tls: { ...trustsRoot, ...IDENTITY }, given: [] });
    expect(without).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
    const given = secrets.map((secret) => ({ ...secret, hosts: ['https://elsewhere.example'] }));
    const elsewhere = await ask(port, { tls: { ...trustsRoot, ...IDENTITY }, given });
    expect(elsewhere).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  });
});

describe('a server with a certificate for another host', () => {
  const wrong = signedBy(root, 90, 'other.example');
  let port: number;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ port, close } = await startTarget({ cert: wrong.cert, key: wrong.key }));
  });
  afterAll(() => close());

  test.each<[Tls, boolean]>([
    [trustsRoot, false],
    [{ trust: { pin: [fingerprintOf(wrong)] } }, false],
    [{ ...trustsRoot, checkHost: false }, true],
    [{ trust: { pin: [fingerprintOf(wrong)] }, checkHost: false }, true],
    [{ trust: 'unchecked' }, true],
    [{ ...trustsRoot, serverName: 'other.example' }, true],
  ])(
    'a server with a certificate for another host is accepted with the TLS settings %j: %p',
    async (tls, isFine) => {
      const outcome = await ask(port, { tls });
      const message = 'The certificate is not for this host name.';
      expect(outcome.failure).toEqual(isFine ? null : expect.objectContaining({ message }));
      const isNamed = tls.serverName === undefined && isFine;
      expect(outcome.tls?.forHost).toBe(isNamed ? false : undefined);
    },
  );
});

test('a certificate with the pinned fingerprint is still refused if it has expired', async () => {
  const ended = signedBy(root, -3);
  const { port, close } = await startTarget({ cert: ended.cert, key: ended.key });
  const pinned = await ask(port, { tls: { trust: { pin: [fingerprintOf(ended)] } } });
  expect(pinned.failure).toMatchObject({ message: 'The certificate has expired.' });
  const unchecked = await ask(port, { tls: { trust: 'unchecked' } });
  expect(unchecked).toMatchObject({ status: 'up', tls: { daysUntilExpiry: -3 } });
  await close();
});

test('a check with two pins passes when the server changes to the second certificate', async () => {
  const next = signedBy(root, 400);
  const server = createServer({ cert: own.cert, key: own.key }, (_, response) => response.end());
  const { port, close } = await listenOnLoopback(server);
  const both: Tls = { trust: { pin: [fingerprintOf(own), fingerprintOf(next)] } };
  const first: Tls = { trust: { pin: [fingerprintOf(own)] } };
  expect(await ask(port, { tls: both })).toMatchObject({ status: 'up' });
  server.setSecureContext({ cert: next.cert, key: next.key });
  expect(await ask(port, { tls: both })).toMatchObject({ status: 'up' });
  expect((await ask(port, { tls: first })).failure?.message).toContain(fingerprintOf(next));
  await close();
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('mutual TLS by %s', (version) => {
  let port: number;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const versions = { minVersion: version, maxVersion: version };
    ({ port, close } = await startTarget({ cert: own.cert, key: own.key, ...MUTUAL, ...versions }));
  });
  afterAll(() => close());

  test.each<[string, Tls]>([
    ['a key', IDENTITY],
    ['a plain-text certificate', { ...IDENTITY, certificate: client.cert }],
    [
      'an encrypted key',
      { ...IDENTITY, key: '{{secret:encrypted}}', passphrase: '{{secret:passphrase}}' },
    ],
  ])('mutual TLS presents a client certificate that is defined with %s', async (_, tls) => {
    const outcome = await ask(port, { tls: { ...trustsRoot, ...tls } });
    expect(outcome).toMatchObject({
      status: 'up',
      tls: {
        trusted: true,
        client: { fingerprint: fingerprintOf(client), issuer: 'Company root' },
      },
    });
    const text = JSON.stringify(outcome);
    for (const line of [...client.key.split('\n'), PASSPHRASE].filter(({ length }) => length > 9))
      expect(text).not.toContain(line);
  });

  test('after a change of the secret, the next check presents the new client certificate', async () => {
    const renewed = signedBy(root, 300);
    const given = [
      { name: 'certificate', value: renewed.cert },
      { name: 'key', value: renewed.key },
    ];
    const tls = { ...trustsRoot, ...IDENTITY };
    const before = await ask(port, { tls });
    const after = await ask(port, { tls, given });
    expect([before, after].map((outcome) => outcome.tls?.client?.fingerprint)).toEqual([
      fingerprintOf(client),
      fingerprintOf(renewed),
    ]);
    expect(after.status).toBe('up');
  });

  test('a check whose client certificate comes from an authority unknown to the server is down, with the reason', async () => {
    const foreign = signedBy(other);
    const given = [
      { name: 'certificate', value: foreign.cert },
      { name: 'key', value: foreign.key },
    ];
    const outcome = await ask(port, { tls: { ...trustsRoot, ...IDENTITY }, given });
    expect(outcome.status).toBe('down');
    expect(outcome.failure?.message).toMatch(/client certificate|closed|reset/);
  });
});

test('after a redirect to another host, no client certificate is sent, and pins do not apply', async () => {
  const shown: (string | undefined)[] = [];
  const options = { cert: own.cert, key: own.key, ca: root.cert, requestCert: true };
  const start = (location: string | null) => {
    const server = createServer({ ...options, rejectUnauthorized: false }, (_, response) => {
      if (location === null) response.end();
      else response.writeHead(302, { location }).end();
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      shown.push(socket.getPeerCertificate()?.fingerprint256);
    });
    return listenOnLoopback(server);
  };
  const there = await start(null);
  const here = await start(`https://127.0.0.1:${there.port}/`);
  const outcome = await ask(here.port, { tls: { ...trustsRoot, ...IDENTITY } });
  expect(outcome).toMatchObject({ status: 'up', response: { redirects: 1 } });
  expect(shown).toEqual([new X509Certificate(client.cert).fingerprint256, undefined]);
  const pinned = await ask(here.port, { tls: { trust: { pin: [fingerprintOf(own)] } } });
  expect(pinned).toMatchObject({ status: 'down', response: { status: 302 } });
  await Promise.all([here.close(), there.close()]);
});
