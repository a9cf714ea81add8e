/**
 * Tests a start on data that this release or this user must not open. It ends with one sentence that describes what to
 * do.
 *
 * Covers: src/embedded/start-checks/data-owner.ts, src/embedded/start-checks/data-release.ts,
 * src/embedded/start-checks/little-memory.ts
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataFolder, type DataFolder } from '../../src/embedded/data-folder';
import { openForThisUser } from '../../src/embedded/start-checks/data-owner';
import { recordRelease } from '../../src/embedded/start-checks/data-release';
import { warnOfLittleMemory } from '../../src/embedded/start-checks/little-memory';

let parent: string;
let folder: DataFolder;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'keepwatch-refusals-'));
  folder = await claimDataFolder(join(parent, 'data'));
});
afterEach(async () => {
  await folder.release();
  rmSync(parent, { recursive: true, force: true });
});

const note = (): string => readFileSync(join(folder.path, 'release.json'), 'utf8');

test('data of a newer version is refused, and the version that reads it is named', async () => {
  await recordRelease(folder, '0.3.2');
  const before = note();
  await expect(recordRelease(folder, '0.2.9')).rejects.toThrow(
    `The data in ${folder.path} was written by Keepwatch 0.3.2; this is Keepwatch 0.2.9, which cannot read it. ` +
      'Start Keepwatch 0.3.0 or newer. To return to 0.2.9, restore a backup from before the upgrade.',
  );
  expect(note()).toBe(before);
});

test.each([
  ['0.3.2', '0.3.0'],
  ['0.3.2', '0.3.2'],
  ['0.3.2', '0.10.0'],
  ['0.9.0', '1.0.0'],
])(
  'data of version %s is opened by version %s, which records its own version',
  async (older, newer) => {
    await recordRelease(folder, older);
    await recordRelease(folder, newer);
    expect(JSON.parse(note())).toMatchObject({ release: newer });
  },
);

test('a damaged record of the data version is reported and not changed', async () => {
  writeFileSync(join(folder.path, 'release.json'), '{"release":');
  await expect(recordRelease(folder, '0.1.0')).rejects.toThrow(/release\.json is damaged/);
  expect(note()).toBe('{"release":');
});

test('a data folder of another user is refused with the exact command that changes its owner', async () => {
  const own = { uid: (process.getuid?.() ?? 0) + 1, gid: 77 };
  await expect(openForThisUser(folder.path, own)).rejects.toThrow(
    `${folder.path} belongs to user ${process.getuid?.()}, but Keepwatch runs as user ${own.uid}. ` +
      `Run as root: chown -R ${own.uid}:77 ${folder.path} `,
  );
});

test('a file system error that is not about permissions is passed on unchanged', async () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  await expect(openForThisUser(join(file, 'data'))).rejects.toThrow(/ENOTDIR/);
  expect(readdirSync(parent).toSorted()).toEqual(['data', 'file']);
});

test('root may use a data folder with files of other users, since root can read them', async () => {
  mkdirSync(join(folder.path, 'database-embedded'));
  await expect(openForThisUser(folder.path, { uid: 0, gid: 0 })).resolves.toBeUndefined();
});

const GB = 1_000_000_000;

test.each([
  { limitBytes: 0.4 * GB, machineBytes: 8 * GB, says: 'The memory limit is 400 MB' },
  { limitBytes: 0, machineBytes: 0.25 * GB, says: 'The memory of this machine is 250 MB' },
  { limitBytes: 2 ** 63, machineBytes: 0.25 * GB, says: 'The memory of this machine is 250 MB' },
])('a machine with too little memory gets a warning: $says', ({ says, ...memory }) => {
  const warning = warnOfLittleMemory(memory);
  expect(warning).toContain(says);
  expect(warning).toContain('about 400 MB when idle');
});

test.each([
  { limitBytes: 0, machineBytes: 8 * GB },
  { limitBytes: 0.512 * GB, machineBytes: 8 * GB },
])(
  'a memory limit of $limitBytes bytes on a machine with $machineBytes bytes causes no warning about memory',
  (memory) => {
    expect(warnOfLittleMemory(memory)).toBeNull();
  },
);
