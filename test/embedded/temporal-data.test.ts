/** Tests the data of the Temporal server: which version wrote it, and that a commit survives a power cut. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseUiIp, findDataVersion, planTemporal } from '../../src/embedded/temporal-process';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-temporal-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the arguments with which the server is started on the folder. */
function planned(given: { readonly uiIp?: string } = {}): readonly string[] {
  return planTemporal({
    program: {
      kind: 'program',
      path: 'temporal',
      origin: 'in a test',
      cliVersion: '1.9.1',
      serverVersion: '1.32.0',
    },
    folder,
    port: 1,
    uiPort: 2,
    ...given,
    environment: {},
  }).args;
}

test('the version of Temporal data is read from the file name, and of several files the newest counts', async () => {
  expect(await findDataVersion(folder)).toBeUndefined();
  expect(await findDataVersion(join(folder, 'none'))).toBeUndefined();
  for (const name of [
    'temporal-1.9.db',
    'temporal-1.31.db',
    'temporal-1.32.db',
    'temporal-1.32.db-wal',
    'other.db',
  ])
    writeFileSync(join(folder, name), '');
  expect(await findDataVersion(folder)).toBe('1.32');
});

test('in the sorted SQLite pragmas of Temporal, the page size precedes the journal mode', () => {
  const pragmas = planned().filter((arg) => /^\S*(page_size|journal_mode)/.test(arg));
  expect(pragmas).toEqual(['[page_size]=1024', 'journal_mode=WAL']);
  expect(pragmas.toSorted()).toEqual(pragmas);
});

test('each minor version of Temporal has its own database file, and SQLite writes each transaction to disk', () => {
  expect(planned()).toEqual(
    expect.arrayContaining([join(folder, 'temporal-1.32.db'), 'synchronous=FULL']),
  );
});

test('both settings that make the Temporal server push cancellations to workers are on', () => {
  expect(planned()).toEqual(
    expect.arrayContaining([
      'frontend.WorkerCommandsEnabled=true',
      'system.enableCancelActivityWorkerCommand=true',
    ]),
  );
});

test('a web page cannot reach the Temporal UI or HTTP API through its own host name', () => {
  const [one, other] = [chooseUiIp('linux'), chooseUiIp('win32')];
  for (const ip of [one, other]) expect(ip).toMatch(/^127(?:\.\d{1,3}){3}$/);
  expect(one).not.toBe(other);
  expect(one).not.toMatch(/^127\.0\./);
  // On macOS, 127.0.0.1 is the only loopback address.
  expect(chooseUiIp('darwin')).toBe('127.0.0.1');
  expect(planned({ uiIp: one })).toEqual(expect.arrayContaining(['--ui-ip', one]));
  expect(planned()).toContain('frontend.httpAllowedHosts=["localhost"]');
});
