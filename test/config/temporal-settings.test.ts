/**
 * Tests the settings for a secured Temporal server: the connection options that result from them, and the settings that
 * are refused at the start.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, SettingsError } from '../../src/config/settings';
import { readTemporalAddress } from '../../src/config/temporal-settings';
import { makeCertificate } from '../support/make-certificate';

const ours = makeCertificate(Date.now() + 86_400_000);
const other = makeCertificate(Date.now() + 86_400_000);
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-temporal-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const CERT = file('cert.pem', ours.cert);
const KEY = file('key.pem', ours.key);

function read(given: Readonly<Record<string, string>>) {
  const settings = readSettings('all-in-one', { TEMPORAL_ADDRESS: 'temporal:7233', ...given });
  return readTemporalAddress(settings);
}

function problemsOf(given: Readonly<Record<string, string>>): readonly string[] {
  try {
    read(given);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

const plain = { address: 'temporal:7233', namespace: 'default' };

test('without TLS settings, the connection to Temporal is unencrypted', () => {
  expect(read({})).toEqual({ ...plain, tls: undefined, apiKey: undefined });
  expect(read({ TEMPORAL_TLS: 'false' }).tls).toBeUndefined();
});

test.each([
  { TEMPORAL_TLS: 'true' },
  { TEMPORAL_TLS: '1' },
  { TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' },
  { TEMPORAL_TLS_SERVER_CA_CERT_PATH: CERT },
  { TEMPORAL_API_KEY: 'key' },
])('the connection to Temporal uses TLS with %j', (given) => {
  expect(read({ ...given } as Record<string, string>).tls).toBeDefined();
});

test('an API key is sent unencrypted only if TEMPORAL_TLS is set to false', () => {
  const given = { TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' };
  expect(read(given)).toEqual({ ...plain, tls: undefined, apiKey: 'key' });
});

test('the contents of the certificate files become options of the connection to Temporal', () => {
  const given = {
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: CERT,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    TEMPORAL_TLS_CLIENT_CERT_PATH: CERT,
    TEMPORAL_TLS_CLIENT_KEY_PATH: KEY,
  };
  expect(read(given).tls).toEqual({
    serverAuthorities: ours.cert,
    serverName: 'temporal.internal',
    client: { certificate: ours.cert, key: ours.key },
  });
});

test('all invalid settings and files of Temporal are named at once', () => {
  const missing = join(folder, 'missing.pem');
  const text = file('text.pem', 'no certificate');
  const broken = file('broken.pem', ours.cert.replace(/\n.{10}/, '\n'));
  expect(
    problemsOf({
      TEMPORAL_TLS: 'perhaps',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: missing,
      TEMPORAL_TLS_CLIENT_CERT_PATH: broken,
      TEMPORAL_TLS_CLIENT_KEY_PATH: text,
      TEMPORAL_API_KEY: 'two words',
    }),
  ).toEqual([
    'TEMPORAL_TLS must be true or false',
    `TEMPORAL_TLS_SERVER_CA_CERT_PATH names ${missing}, which is not readable`,
    `TEMPORAL_TLS_CLIENT_CERT_PATH names ${broken}, which contains no certificate in PEM`,
    `TEMPORAL_TLS_CLIENT_KEY_PATH names ${text}, which contains no private key without a passphrase in PEM`,
    'TEMPORAL_API_KEY must be one word of ASCII',
  ]);
});

test('contradictory settings of the connection to Temporal are refused', () => {
  expect(problemsOf({ TEMPORAL_TLS: 'false', TEMPORAL_TLS_SERVER_NAME: 'x' })).toEqual([
    'TEMPORAL_TLS is false, but other TEMPORAL_TLS_ settings are set: remove them, or set it to true',
  ]);
  const together =
    'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must both be set, or neither';
  expect(problemsOf({ TEMPORAL_TLS_CLIENT_CERT_PATH: CERT })).toEqual([together]);
  expect(problemsOf({ TEMPORAL_TLS_CLIENT_KEY_PATH: KEY })).toEqual([together]);
  const TEMPORAL_TLS_CLIENT_KEY_PATH = file('other.pem', other.key);
  expect(problemsOf({ TEMPORAL_TLS_CLIENT_CERT_PATH: CERT, TEMPORAL_TLS_CLIENT_KEY_PATH })).toEqual(
    ['TEMPORAL_TLS_CLIENT_KEY_PATH is not the key of TEMPORAL_TLS_CLIENT_CERT_PATH'],
  );
});
