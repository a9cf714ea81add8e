/** Tests how each protocol switches to TLS, and which responses of a server are refused. */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { StepRunner } from '../../src/checks/step-runner';
import type { StartTlsProtocol } from '../../src/contracts/kinds';
import { certificate, type Play, startTarget } from '../support/misbehaving-target';
import { buildKindRunner, COMMON_STEP, kindDefinition } from './support/kind-runner';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

function secure(socket: Socket): void {
  const secured = new TLSSocket(socket, { isServer: true, ...certificate('good') });
  secured.on('error', () => undefined);
  secured.write('secured');
}

/**
 * Acts as a server. It sends the greeting, then one reply for each message that it gets. After the last reply, it
 * switches to TLS.
 */
const script =
  (greeting: string | null, ...replies: readonly (string | Buffer)[]): Play =>
  (socket) => {
    if (greeting !== null) socket.write(greeting);
    const left = [...replies];
    const answer = (): void => {
      const reply = left.shift();
      if (reply === undefined) return;
      if (left.length === 0) socket.off('data', answer);
      socket.write(reply, () => left.length === 0 && secure(socket));
    };
    socket.on('data', answer);
  };

const LDAP_SUCCESS = Buffer.from('300c02010178070a010004000400', 'hex');
const LDAP_REFUSAL = Buffer.from('300c02010178070a013504000400', 'hex');

async function check(startTls: StartTlsProtocol, play: Play, timeoutMs = 30_000) {
  const { port, close } = await startTarget({ play, begins: 'connected' });
  const settings = {
    host: '127.0.0.1',
    port,
    useTls: false,
    startTls,
    send: null,
    sendBase64: null,
    expect: 'secured',
  };
  const url = `tcp://127.0.0.1:${port}`;
  const definition = kindDefinition({ ...COMMON_STEP, timeoutMs, url, type: 'tcp', settings });
  const outcome = await runner.runStep(definition, 0, { slotMs: 0 });
  await close();
  return outcome;
}

test.each([
  ['smtp', script('220-mail\r\n220 ready\r\n', '250-mail\r\n250 STARTTLS\r\n', '220 go\r\n')],
  ['imap', script('* OK ready\r\n', '* BYE-BYE is text\r\na1 OK begin\r\n')],
  ['pop3', script('+OK ready\r\n', '+OK begin\r\n')],
  ['postgres', script(null, 'S')],
  ['ldap', script(null, LDAP_SUCCESS)],
] as const)('the connection of %s switches to TLS', async (protocol, play) => {
  expect(await check(protocol, play)).toMatchObject({ status: 'up', tls: { trusted: true } });
});

test.each([
  ['smtp', script('220 mail\r\n', '250 mail\r\n', '454 not now\r\n'), 'tls_error', /454 not now/],
  ['smtp', script('554 no\r\n'), 'tls_error', /554 no/],
  ['imap', script('* OK ready\r\n', 'a1 BAD what\r\n'), 'tls_error', /a1 BAD what/],
  ['pop3', script('+OK ready\r\n', '-ERR\r\n'), 'tls_error', /-ERR/],
  ['postgres', script(null, 'N'), 'tls_error', /did not start TLS: N/],
  ['ldap', script(null, LDAP_REFUSAL), 'tls_error', /did not start TLS/],
  ['pop3', script('+OK ready\r\n', '+OK begin\r\nmore'), 'tls_error', /more than its reply/],
  ['postgres', ((socket) => socket.end()) satisfies Play, 'connection_reset', /closed before/],
  ['smtp', ((socket) => socket.write('2'.repeat(20_000))) satisfies Play, 'tls_error', /more than/],
] as const)(
  '%s: if the server does not switch to TLS, the check fails in the phase tls',
  async (protocol, play, code, words) => {
    expect(await check(protocol, play)).toMatchObject({
      status: 'down',
      failure: { code, phase: 'tls', message: expect.stringMatching(words) },
    });
  },
);

test('if the server never responds, the switch to TLS ends at the deadline', async () => {
  const outcome = await check('smtp', () => undefined, 2_000);
  expect(outcome).toMatchObject({ failure: { code: 'timeout', phase: 'tls' } });
});
