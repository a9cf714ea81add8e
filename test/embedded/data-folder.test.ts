/** Tests that the data folder belongs to one user, and that its keys are never replaced. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { claimDataFolder, ensureSecret } from '../../src/embedded/data-folder';
import { startDatabase } from '../../src/embedded/database/server';
import { buildDatabaseUri, findSocketPath } from '../../src/embedded/database-address';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'keepwatch-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a data folder that other users can read becomes private at the next start', async () => {
  const path = join(parent, 'data');
  mkdirSync(path);
  chmodSync(path, 0o755);
  const folder = await claimDataFolder(path);
  expect(modeOf(path)).toBe(0o700);
  await folder.release();
});

test('a stored secret key stays the same, and only this user can read it', async () => {
  const folder = await claimDataFolder(join(parent, 'data'));
  const made = await ensureSecret(folder, 'secret-key', 32);
  const file = join(folder.path, 'secret-key');
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  chmodSync(file, 0o644);
  expect(await ensureSecret(folder, 'secret-key', 32)).toBe(made);
  expect(modeOf(file)).toBe(0o600);
  await folder.release();
});

test('an existing secret key that cannot be read stops the start and is not replaced', async () => {
  const folder = await claimDataFolder(join(parent, 'data'));
  writeFileSync(join(folder.path, 'empty'), '\n');
  mkdirSync(join(folder.path, 'unreadable'));
  await expect(ensureSecret(folder, 'empty', 32)).rejects.toThrow(/is empty/);
  await expect(ensureSecret(folder, 'unreadable', 32)).rejects.toThrow(
    /could not be read \(EISDIR\)/,
  );
  expect(statSync(join(folder.path, 'unreadable')).isDirectory()).toBe(true);
  await folder.release();
});

test('a database on a socket opens no port, even if a killed process left its socket behind', async () => {
  const socket = findSocketPath(parent);
  if (socket === null) throw new Error('this system has sockets in folders');
  // A process that was killed leaves this file behind.
  writeFileSync(socket, '');
  const database = await startDatabase({ dir: join(parent, 'database'), socket });
  expect(database.port).toBe(0);
  const client = new mongoose.mongo.MongoClient(buildDatabaseUri({ socket }));
  expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();
  await database.close();
  expect(() => statSync(socket)).toThrow(/ENOENT/);
});

test('the database uses a port if the path is too long for a socket or the system has no sockets', () => {
  expect(findSocketPath('/data', 'linux')).toBe('/data/database.sock');
  expect(findSocketPath(`/${'x'.repeat(120)}`, 'linux')).toBeNull();
  expect(findSocketPath('C:/data', 'win32')).toBeNull();
});
