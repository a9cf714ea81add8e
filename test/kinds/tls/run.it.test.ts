/** Tests TLS checks against servers with certificates of every kind. */
import type { TlsOptions } from 'node:tls';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { NetworkStep, TlsSettings } from '../../../src/contracts/kinds';
import type { StepOutcome } from '../../../src/contracts/outcome';
import { makeCertificate } from '../../support/make-certificate';
import { certificate, startTarget } from '../../support/misbehaving-target';
import { ALL_FACTS, buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

const SETTINGS: TlsSettings = {
  host: '127.0.0.1',
  port: 443,
  serverName: null,
  minVersion: 'TLSv1.2',
  names: [],
  startTls: null,
};

function tlsStep(settings: Partial<TlsSettings>, timeoutMs = 30_000): NetworkStep {
  const whole = { ...SETTINGS, ...settings };
  const url = `tls://${whole.host}:${whole.port}`;
  return { ...COMMON_STEP, url, timeoutMs, type: 'tls', settings: whole };
}

async function meet(
  tls: TlsOptions | undefined,
  settings: Partial<TlsSettings> = {},
  timeoutMs?: number,
): Promise<StepOutcome> {
  const target = { play: () => undefined, begins: 'connected' as const };
  const { port, close } = await startTarget(tls === undefined ? target : { ...target, tls });
  try {
    const step = tlsStep({ ...settings, port }, timeoutMs);
    return await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  } finally {
    await close();
  }
}

function held({ assertions }: StepOutcome): readonly string[] {
  return assertions.map(({ target, ok }) => `${target} ${ok}`);
}

test('a TLS check of a good certificate passes, with the chain and its dates as evidence', async () => {
  const outcome = await meet(certificate('good'));
  expect(outcome).toMatchObject({
    status: 'up',
    request: { method: 'TLS' },
    response: { status: null, bodyPreview: expect.stringContaining('sha256') },
    tls: { trusted: true, expiresAt: expect.any(String), fingerprint: expect.any(String) },
    timings: { connectMs: expect.any(Number), tlsMs: expect.any(Number), ttfbMs: null },
  });
  expect(held(outcome)).toEqual(['trusted true', 'version true']);
});

test.each([
  ['expired', /has expired/],
  ['not-yet-valid', /not valid yet/],
  ['wrong-host', /not for this host name/],
  ['self-signed', /self-signed|unknown authority/],
  ['unknown-authority', /unknown authority|cannot be verified/],
])(
  'the bad certificate “%s” fails the TLS check, and its dates are still reported',
  async (name, words) => {
    const outcome = await meet(certificate(name));
    expect(outcome).toMatchObject({
      status: 'down',
      failure: { code: 'tls_error', phase: 'tls', message: expect.stringMatching(words) },
      tls: { trusted: false, expiresAt: expect.any(String) },
    });
    expect(held(outcome)).toEqual(['trusted false', 'version true']);
  },
);

test('a TLS check judges each additional name separately', async () => {
  const outcome = await meet(certificate('good'), {
    names: ['127.0.0.1', 'other.example.com'],
  });
  expect(held(outcome)).toEqual(['trusted true', 'version true', 'names true', 'names false']);
  expect(outcome.failure).toMatchObject({
    code: 'assertion_failed',
    message: 'The certificate is not for other.example.com.',
  });
});

test('a TLS check asks the server for the configured server name', async () => {
  const made = makeCertificate(Date.now() + 86_400_000, 'shop.example.com');
  const strict = buildKindRunner({ extraAuthorities: [made.cert] });
  const target = { play: () => undefined, begins: 'connected' as const, tls: made };
  const { port, close } = await startTarget(target);
  const check = (serverName: string | null) =>
    strict.runStep(kindDefinition(tlsStep({ port, serverName })), 0, { slotMs: 0 });
  expect(await check('shop.example.com')).toMatchObject({ status: 'up' });
  expect(await check(null)).toMatchObject({ failure: { code: 'tls_error' } });
  await strict.close();
  await close();
});

test('a TLS version below the required minimum fails the check and is named', async () => {
  const old = { ...certificate('good'), maxVersion: 'TLSv1.2' as const };
  expect(await meet(old)).toMatchObject({ status: 'up' });
  expect(await meet(old, { minVersion: 'TLSv1.3' })).toMatchObject({
    status: 'down',
    failure: { code: 'assertion_failed', message: expect.stringContaining('TLSv1.2') },
    tls: { version: 'TLSv1.2', trusted: true },
  });
});

test('a TLS check of a server that never responds ends at the deadline', async () => {
  expect(await meet(undefined, {}, 2_000)).toMatchObject({
    status: 'down',
    failure: { code: 'timeout', phase: 'tls' },
    tls: null,
  });
});

test('a TLS step returns the details of the certificate, even if the certificate fails', async () => {
  const target = { play: () => undefined, begins: 'connected' as const };
  const { port, close } = await startTarget({ ...target, tls: certificate('expired') });
  const step = { ...tlsStep({ port }), extract: ALL_FACTS };
  const { failure, extracted } = await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await close();
  expect(failure).toMatchObject({ code: 'tls_error' });
  expect(extracted).toMatchObject([
    {
      name: 'facts',
      value: {
        trusted: false,
        version: expect.stringMatching(/^TLSv1/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        daysUntilExpiry: expect.any(Number),
      },
    },
  ]);
});
