/** The data of the Temporal server: which version wrote it, and that a commit survives a power cut. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDataVersion, planTemporal } from '../../src/embedded/temporal-process';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-temporal-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The arguments of the server on the folder. */
function planned(): readonly string[] {
  return planTemporal({
    program: {
      kind: 'program',
      path: 'temporal',
      origin: 'in a test',
      cliVersion: '1.8.2',
      serverVersion: '1.31.2',
    },
    folder,
    port: 1,
    uiPort: 2,
    environment: {},
  }).args;
}

test('the version of the data is known by its file, the newest of several by number', async () => {
  expect(await findDataVersion(folder)).toBeUndefined();
  expect(await findDataVersion(join(folder, 'none'))).toBeUndefined();
  for (const name of ['temporal-1.9.db', 'temporal-1.31.db', 'temporal-1.31.db-wal', 'other.db'])
    writeFileSync(join(folder, name), '');
  expect(await findDataVersion(folder)).toBe('1.31');
});

test('the size of a page is set before the journal, in the order in which the server sorts pragmas', () => {
  const pragmas = planned().filter((arg) => /^\S*(page_size|journal_mode)/.test(arg));
  expect(pragmas).toEqual(['[page_size]=1024', 'journal_mode=WAL']);
  expect(pragmas.toSorted()).toEqual(pragmas);
});

test('the file is that of the server’s minor version, and each commit reaches the disk', () => {
  expect(planned()).toEqual(
    expect.arrayContaining([join(folder, 'temporal-1.31.db'), 'synchronous=FULL']),
  );
});
