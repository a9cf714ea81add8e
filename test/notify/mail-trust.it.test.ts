/**
 * Tests that mail trusts the same authorities as checks, and explains failures in the same words.
 *
 * Covers:
 * - domain/states/connection-words
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { createConnectByName } from '../../src/checks/connect-by-name';
import { createResolveHost } from '../../src/checks/resolve-host';
import { createTrust } from '../../src/checks/tls/secure-socket';
import { email } from '../../src/notify/channels/email';
import { createMailSender } from '../../src/notify/email';
import { composeOwn } from '../../src/notify/sender';
import { createSystemMailer } from '../../src/notify/system-mail';
import { buildAlert } from '../support/alert-message';
import { urlOfNobody } from '../support/loopback-server';

const pem = (name: string): string =>
  readFileSync(join(__dirname, '..', 'support', 'tls', `${name}.pem`), 'utf8');
const ours = createTrust([pem('ca')]);
const wellKnown = createTrust([]);

const servers: SMTPServer[] = [];
afterAll(() =>
  Promise.all(servers.map((server) => new Promise<void>((done) => server.close(done)))),
);

/** Starts a mail server. `smtps` uses TLS from the first byte, `smtp` uses STARTTLS. */
async function startServer(certificate: string, protocol: 'smtp' | 'smtps'): Promise<string> {
  const server = new SMTPServer({
    key: pem(certificate),
    cert: pem(certificate),
    secure: protocol === 'smtps',
    authOptional: true,
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done());
    },
  });
  server.on('error', () => undefined);
  servers.push(server);
  const net = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => net.once('listening', resolve));
  return `${protocol}://localhost:${(net.address() as AddressInfo).port}`;
}

const message = composeOwn(
  email,
  { id: 'alr_1-on-call', alert: buildAlert({ id: 'alr_1' }), sentAtMs: 0 },
  'https://watch.example',
);
const connect = createConnectByName(createResolveHost());
const send = (smtpUrl: string, trust = ours) =>
  createMailSender({
    server: { smtpUrl, trust, timeoutMs: 5_000, connect },
    from: 'keepwatch@example.com',
    publicUrl: 'https://watch.example',
  })('a@example.com', message);

describe.each(['smtp', 'smtps'] as const)('over %s', (protocol) => {
  test('alerts and notices reach a mail server whose authority is in KEEPWATCH_EXTRA_CA_CERTS', async () => {
    const smtpUrl = await startServer('good', protocol);
    expect(await send(smtpUrl)).toMatchObject({ kind: 'sent' });
    const mailer = createSystemMailer({ smtpUrl, trust: ours }, 'keepwatch@example.com');
    await mailer.sendMail({ to: 'a@example.com', subject: 's', text: 't', html: '<p>t</p>' });
  });

  test.each([
    [
      'good',
      wellKnown,
      'cannot be verified: an intermediate certificate is missing or its authority is unknown.',
    ],
    [
      'unknown-authority',
      ours,
      'cannot be verified: an intermediate certificate is missing or its authority is unknown.',
    ],
    ['self-signed', ours, 'is self-signed.'],
    ['expired', ours, 'has expired.'],
    ['not-yet-valid', ours, 'is not valid yet.'],
    ['wrong-host', ours, 'is not for this host name.'],
    ['client-only', ours, 'is not meant for servers.'],
  ])(
    'a mail server with the untrusted certificate “%s” is refused with the same message as in checks',
    async (name, trust, words) => {
      expect(await send(await startServer(name, protocol), trust)).toEqual({
        kind: 'later',
        detail: `Can’t reach the mail server: The certificate ${words}`,
        afterMs: null,
      });
    },
  );
});

test('a mail server that does not exist is reported with the same text as in checks', async () => {
  const { host, port } = new URL(await urlOfNobody());
  const refused = await send(`smtp://${host}`);
  expect(refused.detail).toContain(
    `Can’t reach the mail server: Connection refused on port ${port}.`,
  );
  const unknown = await send('smtp://nowhere.invalid');
  expect(unknown.detail).toContain(
    'Can’t reach the mail server: DNS lookup failed: nowhere.invalid ',
  );
});

test('a mail server without TLS on a TLS port is reported as a failed handshake', async () => {
  const plain = await startServer('good', 'smtp');
  const { detail } = await send(plain.replace('smtp:', 'smtps:'));
  expect(detail).toMatch(/^Can’t reach the mail server: The TLS handshake failed \(.+\)\.$/);
});
