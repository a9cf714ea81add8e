/**
 * Tests TCP checks against servers of every behaviour: what passes, how each failure is named, and what is stored as
 * evidence.
 *
 * Covers:
 * - kinds/tcp/run
 */
import type { StepRunner } from '../../../src/checks/step-runner';
import type { NetworkStep, TcpSettings } from '../../../src/contracts/kinds';
import type { StepOutcome } from '../../../src/contracts/outcome';
import { MASK } from '../../../src/domain/secrets/redact';
import {
  certificate,
  type Play,
  say,
  sayThenClose,
  sayThenReset,
  startTarget,
  type TargetKind,
} from '../../support/misbehaving-target';
import { buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

const SETTINGS: TcpSettings = {
  host: '127.0.0.1',
  port: 1,
  useTls: false,
  startTls: null,
  send: null,
  sendBase64: null,
  expect: null,
};

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

function tcpStep(settings: Partial<TcpSettings>, timeoutMs = 30_000): NetworkStep {
  const whole = { ...SETTINGS, ...settings };
  const url = `tcp://${whole.host}:${whole.port}`;
  return { ...COMMON_STEP, url, timeoutMs, type: 'tcp', settings: whole };
}

/** Runs one check of a target with this behaviour. */
async function meet(
  target: TargetKind,
  settings: Partial<TcpSettings> = {},
  timeoutMs?: number,
): Promise<StepOutcome> {
  const { port, close } = await startTarget({ begins: 'connected', ...target });
  try {
    const step = tcpStep({ ...settings, port }, timeoutMs);
    return await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  } finally {
    await close();
  }
}

const quiet: Play = () => undefined;
const reset: Play = (socket) => socket.resetAndDestroy();
const dripping: Play = (socket) => {
  socket.write('+');
  let at = 0;
  const timer = setInterval(() => socket.write('PONG'.charAt(at++ % 4)), 20);
  socket.once('close', () => clearInterval(timer));
};
/**
 * Sends a greeting, then responds to each line. The response is that of the first word of the table that the line
 * contains.
 */
const answers =
  (greeting: string, table: Readonly<Record<string, string>>): Play =>
  (socket) => {
    socket.write(greeting);
    socket.on('data', (bytes: Buffer) => {
      const line = bytes.toString('latin1');
      const word = Object.keys(table).find((name) => line.includes(name));
      socket.write(word === undefined ? '500 what?\r\n' : (table[word] ?? ''));
    });
  };

/**
 * Milliseconds until a check of a silent target times out. This is long enough for a busy machine to connect and read.
 */
const SILENCE_MS = 2_000;

test.each([
  { name: 'an open port without an expectation', target: { play: quiet }, code: null },
  {
    name: 'a banner that matches',
    target: { play: say('220 mail ESMTP\r\n') },
    settings: { expect: '^220 ' },
    code: null,
  },
  {
    name: 'a banner in consecutive pieces',
    target: { play: dripping },
    settings: { expect: '^\\+PONG' },
    code: null,
  },
  {
    name: 'a response to a sent text',
    target: { play: answers('', { PING: '+PONG\r\n' }) },
    settings: { send: 'PING\r\n', expect: '^\\+PONG' },
    code: null,
  },
  {
    name: 'a response to sent bytes',
    target: { play: answers('', { PING: '+PONG\r\n' }) },
    settings: { sendBase64: Buffer.from('PING\r\n').toString('base64'), expect: '^\\+PONG' },
    code: null,
  },
  {
    name: 'a response before the connection closes',
    target: { play: sayThenClose('bye') },
    settings: { expect: 'bye' },
    code: null,
  },
  {
    name: 'a response through TLS',
    target: { play: say('* OK ready\r\n'), tls: certificate('good') },
    settings: { useTls: true, expect: 'OK ready' },
    code: null,
  },
  {
    name: 'a banner that does not match',
    target: { play: say('554 go away\r\n') },
    settings: { expect: '^220 ' },
    timeoutMs: SILENCE_MS,
    code: 'assertion_failed',
  },
  {
    name: 'a response that ends without the expected text',
    target: { play: sayThenClose('nothing of it') },
    settings: { expect: 'PONG' },
    code: 'assertion_failed',
  },
  {
    name: 'a response of more than 64 KiB without the expected text',
    target: { play: say('x'.repeat(200_000)) },
    settings: { expect: 'PONG' },
    code: 'assertion_failed',
  },
  {
    name: 'a server that accepts and stays silent',
    target: { play: quiet },
    settings: { expect: 'anything' },
    timeoutMs: SILENCE_MS,
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'a server that closes at once',
    target: { play: sayThenClose() },
    settings: { expect: 'anything' },
    code: 'connection_reset',
  },
  {
    name: 'a server that resets',
    target: { play: reset },
    settings: { expect: 'anything' },
    code: 'connection_reset',
  },
  {
    name: 'a server that resets after an unexpected response',
    target: { play: sayThenReset('nothing of it') },
    settings: { expect: 'PONG' },
    code: 'connection_reset',
  },
  {
    name: 'a server that does not speak TLS',
    target: { play: say('220 mail\r\n') },
    settings: { useTls: true },
    code: 'tls_error',
    phase: 'tls',
  },
  {
    name: 'a server that stays silent on TLS',
    target: { play: quiet },
    settings: { useTls: true },
    timeoutMs: SILENCE_MS,
    code: 'timeout',
    phase: 'tls',
  },
  {
    name: 'a certificate that has expired',
    target: { play: quiet, tls: certificate('expired') },
    settings: { useTls: true },
    code: 'tls_error',
    phase: 'tls',
  },
] as const)(
  'a TCP check of $name has the failure code $code',
  async ({ target, code, ...given }) => {
    const {
      settings = {},
      timeoutMs,
      phase,
    } = {
      settings: undefined,
      timeoutMs: undefined,
      phase: undefined,
      ...given,
    };
    const outcome = await meet(target, settings, timeoutMs);
    expect(outcome).toMatchObject({
      status: code === null ? 'up' : 'down',
      request: { method: 'TCP' },
    });
    expect(outcome.failure?.code ?? null).toBe(code);
    if (phase !== undefined) expect(outcome.failure?.phase).toBe(phase);
  },
);

test('a TCP check of a closed port fails as refused, and is retried as often as configured', async () => {
  const { port, close } = await startTarget({ play: quiet });
  await close();
  const step = { ...tcpStep({ port }), retries: 2 };
  const outcome = await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'connection_refused', phase: 'connect' },
    response: null,
  });
  expect(outcome.attempts).toHaveLength(3);
});

test('a TCP check stores the response, the certificate and each phase as evidence', async () => {
  const target = { play: say('220 mail ESMTP\r\n'), tls: certificate('good') };
  const { response, tls, timings, assertions, attempts } = await meet(target, {
    useTls: true,
    expect: 'ESMTP',
  });
  expect(response).toMatchObject({
    status: null,
    httpVersion: null,
    remoteIp: '127.0.0.1',
    bodyPreview: '220 mail ESMTP\r\n',
    truncated: false,
  });
  expect(tls).toMatchObject({
    trusted: true,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(timings).toMatchObject({
    dnsMs: null,
    connectMs: expect.any(Number),
    tlsMs: expect.any(Number),
    ttfbMs: expect.any(Number),
  });
  expect(assertions).toMatchObject([{ type: 'body', operator: 'matches', ok: true }]);
  expect(attempts).toHaveLength(1);
});

test('a TCP check is degraded if the port responds more slowly than the limit', async () => {
  const { port, close } = await startTarget({ play: quiet, begins: 'connected' });
  const step = { ...tcpStep({ port }), degradedAboveMs: 0 };
  const outcome = await runner.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await close();
  expect(outcome).toMatchObject({ status: 'degraded', failure: null });
});

test('a TCP check of a private target is refused before anything is sent', async () => {
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const step = tcpStep({ port: 25 });
  const outcome = await strict.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'blocked_target' },
    response: null,
  });
});

test('secrets in a TCP check are filled in, and masked in the whole response', async () => {
  const echo: Play = (socket) => socket.pipe(socket);
  const { port, close } = await startTarget({ play: echo, begins: 'connected' });
  const step = tcpStep({
    port,
    send: 'AUTH {{user}} {{secret:token}} {{password}}\r\n',
    expect: '^AUTH me',
  });
  const definition = kindDefinition(step, [
    { name: 'user', value: 'me' },
    { name: 'password', value: 'variable-secret-1', secret: true },
  ]);
  const outcome = await runner.runStep(definition, 0, {
    slotMs: 0,
    secrets: [{ name: 'token', value: 'account-secret-2' }],
  });
  await close();
  expect(outcome.status).toBe('up');
  expect(outcome.response?.bodyPreview).toBe(`AUTH me ${MASK} ${MASK}\r\n`);
  expect(JSON.stringify(outcome)).not.toMatch(/secret-\d/);
});

test('if a TCP target stalls after half of a secret, that half is masked', async () => {
  const { port, close } = await startTarget({
    play: say('you sent account-sec'),
    begins: 'connected',
  });
  const step = { ...tcpStep({ port, send: '{{secret:token}}', expect: 'PONG' }), timeoutMs: 5_000 };
  const outcome = await runner.runStep(kindDefinition(step), 0, {
    slotMs: 0,
    secrets: [{ name: 'token', value: 'account-secret-2' }],
  });
  await close();
  expect(outcome.response?.bodyPreview).toBe(`you sent ${MASK}`);
  expect(JSON.stringify(outcome)).not.toMatch(/account-s/);
});

test('a TCP check sends a secret only to the hosts of the secret', async () => {
  const { port, close } = await startTarget({ play: quiet, begins: 'connected' });
  const definition = kindDefinition(tcpStep({ port, send: '{{secret:token}}' }));
  const check = (hosts: readonly string[]) =>
    runner.runStep(definition, 0, {
      slotMs: 0,
      secrets: [{ name: 'token', value: 'account-secret', hosts }],
    });
  expect(await check(['127.0.0.1'])).toMatchObject({ failure: { code: 'secret_missing' } });
  expect(await check([`tcp://127.0.0.1:${port}`])).toMatchObject({ status: 'up' });
  await close();
});
