/** Tests mail servers that misbehave, over real sockets. Each case gives a distinct outcome. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createConnectByName } from '../../src/checks/connect-by-name';
import { createResolveHost } from '../../src/checks/resolve-host';
import { createTrust } from '../../src/checks/tls/secure-socket';
import type { AlertMessage } from '../../src/contracts/alerts';
import { email } from '../../src/notify/channels/email';
import { createMailSender } from '../../src/notify/email';
import { composeOwn } from '../../src/notify/sender';
import { buildAlert } from '../support/alert-message';
import { urlOfNobody } from '../support/loopback-server';

const alert: AlertMessage = buildAlert({
  id: 'alr_1',
  resourceName: 'Shop',
  atMs: Date.UTC(2026, 0, 5, 12, 5),
  sinceMs: Date.UTC(2026, 0, 5, 12, 0),
  openedAtMs: Date.UTC(2026, 0, 5, 12, 0),
  cause: { code: 'assertion_failed', message: 'Expected status 200, got 500.' },
  regions: ['eu-west'],
});
const message = composeOwn(
  email,
  { id: 'alr_1-on-call', alert, sentAtMs: 0 },
  'https://watch.example',
);
/** Timeout in milliseconds for a server that stays silent. Every other server gets enough time on a busy machine. */
const MUTE_MS = 400;
const TIMEOUT_MS = 60_000;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/** Returns the response to a line of the client. null sends no response. */
type Script = (line: string, socket: Socket) => string | null;

async function startMailServer(script: Script, greeting = '220 mail.example'): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const say = (text: string | null): void => {
      if (text !== null && !socket.destroyed) socket.write(`${text}\r\n`);
    };
    if (greeting !== '') say(greeting);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${String(chunk)}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) say(script(line, socket));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Returns the script of a server that accepts everything. If `odd` returns another response for a line, the server
 * sends this response.
 */
function taking(odd: Script): Script {
  let isInBody = false;
  return (line, socket) => {
    const other = isInBody && line !== '.' ? null : odd(isInBody ? '.' : line, socket);
    if (other !== null) {
      isInBody = false;
      return other;
    }
    if (isInBody && line !== '.') return null;
    if (line === 'DATA') isInBody = true;
    if (line === '.') isInBody = false;
    return line === 'DATA' ? '354 go on' : '250 OK';
  };
}

const warnings: unknown[] = [];
beforeEach(() => warnings.splice(0));

const connect = createConnectByName(createResolveHost());
const senderOf = (smtpUrl: string, timeoutMs = TIMEOUT_MS) =>
  createMailSender({
    logger: { warn: (facts: unknown) => void warnings.push(facts) },
    server: { smtpUrl, trust: createTrust([]), timeoutMs, connect },
    from: 'keepwatch@example.com',
    publicUrl: 'https://watch.example',
  });
const sendBy = (smtpUrl: string, timeoutMs = TIMEOUT_MS) =>
  senderOf(smtpUrl, timeoutMs)('a@example.com', message);

test('a delivery that the mail server accepts records the text of its response', async () => {
  const url = await startMailServer(taking(() => null));
  expect(await sendBy(url)).toEqual({ kind: 'sent', detail: '250 OK' });
});

test('delivery to a mail server that does not exist is retried later', async () => {
  const url = (await urlOfNobody()).replace('http:', 'smtp:');
  expect(await sendBy(url)).toMatchObject({ kind: 'later', afterMs: null });
});

test('delivery to a mail server that stays silent or stops responding times out and is retried later', async () => {
  const mute = await startMailServer(() => null, '');
  const tarpit = await startMailServer((line) => (line.startsWith('EHLO') ? '250 OK' : null));
  for (const url of [mute, tarpit])
    expect(await sendBy(url, MUTE_MS)).toMatchObject({
      kind: 'later',
      detail: expect.stringMatching(/time/i),
    });
});

test.each([
  ['refuses the sender for now', 'MAIL', '451 later', 'later'],
  ['refuses the recipient for now', 'RCPT', '450 busy', 'later'],
  ['refuses the message for now', '.', '452 full', 'later'],
  ['refuses the sender, which its operator has to fix', 'MAIL', '550 not yours', 'later'],
  ['requires a login first', 'MAIL', '530 authentication required', 'later'],
  ['refuses the recipient permanently', 'RCPT', '550 no such user', 'refused'],
  ['refuses the message permanently', '.', '554 spam', 'refused'],
])('a mail server that %s (%s: %s) gives the outcome `%s`', async (_what, verb, answer, kind) => {
  const url = await startMailServer(taking((line) => (line.startsWith(verb) ? answer : null)));
  const outcome = await sendBy(url);
  expect(outcome).toMatchObject({ kind, detail: expect.stringContaining(answer.slice(0, 3)) });
  // A permanent refusal before the email names a recipient concerns the operator of the service.
  const isOperators = kind === 'later' && answer.startsWith('5');
  expect(warnings).toHaveLength(isOperators ? 1 : 0);
});

test('the operator is notified once while a mail server refuses emails, and again if it refuses after accepting an email', async () => {
  let answer: string | null = '530 authentication required';
  const url = await startMailServer(taking((line) => (line.startsWith('MAIL') ? answer : null)));
  const send = senderOf(url);
  await send('a@example.com', message);
  await send('b@example.com', message);
  expect(warnings).toEqual([{ detail: expect.stringContaining('530') }]);
  answer = null;
  await send('a@example.com', message);
  answer = '530 authentication required';
  await send('a@example.com', message);
  expect(warnings).toHaveLength(2);
});

test('an email is retried later if the mail server refuses the login, since the operator can fix the login', async () => {
  const url = await startMailServer((line) => {
    if (line.startsWith('EHLO')) return '250-mail.example\r\n250 AUTH PLAIN LOGIN';
    return line.startsWith('AUTH') ? '535 5.7.8 credentials invalid' : '250 OK';
  });
  const outcome = await sendBy(url.replace('smtp://', 'smtp://user:pass@'));
  expect(outcome).toMatchObject({ kind: 'later', detail: expect.stringContaining('535') });
});

test('a mail server that refuses in its greeting is retried later', async () => {
  const url = await startMailServer(() => null, '554 no service here');
  expect(await sendBy(url)).toMatchObject({
    kind: 'later',
    detail: expect.stringContaining('554'),
  });
});

test('if the connection to the mail server breaks, the email is sent again with the same Message-ID', async () => {
  const seen: string[] = [];
  let isBreaking = true;
  const url = await startMailServer(
    (() => {
      let isInBody = false;
      return (line: string, socket: Socket) => {
        if (isInBody) {
          if (line.startsWith('Message-ID:')) seen.push(line);
          if (line !== '.') return null;
          isInBody = false;
          if (!isBreaking) return '250 OK';
          socket.resetAndDestroy();
          return null;
        }
        if (line !== 'DATA') return '250 OK';
        isInBody = true;
        return '354 go on';
      };
    })(),
  );
  expect(await sendBy(url)).toMatchObject({ kind: 'later' });
  isBreaking = false;
  expect(await sendBy(url)).toMatchObject({ kind: 'sent' });
  expect(seen).toEqual([
    'Message-ID: <alr_1-on-call@watch.example>',
    'Message-ID: <alr_1-on-call@watch.example>',
  ]);
});
