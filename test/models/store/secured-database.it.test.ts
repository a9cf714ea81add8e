/** Tests a database with TLS, client certificates and a password. Its URI contains all of them. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { connectDatabase } from '../../../src/models';
import { createLogger } from '../../../src/platform/logger';
import { makeCertificate } from '../../support/make-certificate';
import { databaseUri } from '../../support/service';

const own = makeCertificate(Date.now() + 86_400_000);
const ours = makeCertificate(Date.now() + 86_400_000);
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-database-tls-'));
const authority = join(folder, 'ca.pem');
const identity = join(folder, 'client.pem');
const logger = createLogger('test', 'silent');

let server: Server;
let port: number;
/** The data that clients sent, decrypted. */
let sent = '';

beforeAll(async () => {
  writeFileSync(authority, own.cert);
  writeFileSync(identity, ours.cert + ours.key);
  const upstream = new URL(databaseUri('secured'));
  const rules = { ca: ours.cert, requestCert: true, rejectUnauthorized: true };
  server = createServer({ cert: own.cert, key: own.key, ...rules }, (socket) => {
    const link = connect(Number(upstream.port), upstream.hostname);
    socket.on('data', (bytes) => {
      sent += bytes.toString('latin1');
    });
    for (const end of [socket, link]) end.on('error', () => socket.destroy());
    socket.pipe(link).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  const closed = once(server, 'close');
  server.close();
  await closed;
  rmSync(folder, { recursive: true, force: true });
});

function open(options: Readonly<Record<string, string>>, login = '') {
  const uri = `mongodb://${login}127.0.0.1:${port}/secured?${new URLSearchParams(options).toString()}`;
  return connectDatabase(uri, { logger });
}

it('a database that requires TLS is reached with the CA file and the client certificate named in the URI', async () => {
  const database = await open({
    tls: 'true',
    tlsCAFile: authority,
    tlsCertificateKeyFile: identity,
  });
  await expect(database.ping(2_000)).resolves.toBeUndefined();
  await database.close();
});

it.each([
  { what: 'no TLS', options: {} },
  { what: 'no authority', options: { tls: 'true', tlsCertificateKeyFile: identity } },
  { what: 'no certificate', options: { tls: 'true', tlsCAFile: authority } },
])('a connection with $what to a database that requires TLS fails', async ({ options }) => {
  await expect(open(options)).rejects.toThrow();
});

it('a connection to a database sends the user and the mechanism, but never the password', async () => {
  sent = '';
  const tls = { tls: 'true', tlsCAFile: authority, tlsCertificateKeyFile: identity };
  // The embedded database has no users and refuses them, but the test can still see what is sent.
  await open({ ...tls, authMechanism: 'SCRAM-SHA-256' }, 'watch:a-password@').then(
    (database) => database.close(),
    () => undefined,
  );
  expect(sent).toContain('SCRAM-SHA-256');
  expect(sent).toContain('n=watch');
  expect(sent).not.toContain('a-password');
});
