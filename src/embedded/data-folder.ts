/** The data folder of all-in-one: one process at a time can claim it. It contains generated secrets. */
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { readErrorCode } from './error-code';
import { isAlive, type NotedProcess, noteProcess } from './process-identity';
import { openServerRecord, type ServerRecordFile } from './server-record';
import { openForThisUser } from './start-checks/data-owner';

export interface DataFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly record: ServerRecordFile;
  /** Ends the claim, so that another process can claim the folder. */
  readonly release: () => Promise<void>;
}

/** Thrown if another process is using the folder. */
class DataFolderInUseError extends Error {
  constructor(path: string, pid: number) {
    super(
      `Keepwatch already runs on the data folder ${path} (process ${pid}). Stop it first, or choose another folder with KEEPWATCH_DATA_DIR.`,
    );
    this.name = 'DataFolderInUseError';
  }
}

const noteShape = z.object({ pid: z.number().int().positive(), identity: z.string() });
const CLAIM_STALE_MS = 5_000;
const CLAIM_RETRIES = { retries: 100, factor: 1, minTimeout: 100, maxTimeout: 100 };

async function readNote(file: string): Promise<NotedProcess | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    return noteShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Creates the folder if it is missing, and claims it for this process. From then on, only this user may enter the
 * folder. The claim ends with the process. Throws DataFolderInUseError if another process uses the folder, and
 * ForeignDataError if it belongs to another user.
 */
export async function claimDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  await openForThisUser(path);
  const note = join(path, 'running.json');
  // The file is locked only while the claim is read and written, not during the whole claim.
  const unlock = await lock(path, {
    lockfilePath: join(path, 'claim.lock'),
    stale: CLAIM_STALE_MS,
    retries: CLAIM_RETRIES,
  });
  try {
    const holder = await readNote(note);
    if (holder !== undefined && (await isAlive(holder))) {
      throw new DataFolderInUseError(path, holder.pid);
    }
    await writeFile(note, JSON.stringify(await noteProcess(process.pid)));
  } finally {
    await unlock();
  }
  return {
    path,
    record: await openServerRecord(path),
    release: () => rm(note, { force: true }),
  };
}

/**
 * Returns a secret that only this user may read. The first call generates it: `bytes` random bytes in hex. Throws if
 * the file is empty or unreadable, because a new secret could not decrypt existing data.
 */
export async function ensureSecret(
  folder: DataFolder,
  name: string,
  bytes: number,
): Promise<string> {
  const file = join(folder.path, name);
  const kept = await readSecret(file);
  if (kept !== null) return kept;
  const made = randomBytes(bytes).toString('hex');
  // The file is written atomically, so that a crash cannot leave half a secret.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, `${made}\n`, { mode: 0o600 });
  await rename(partial, file);
  return made;
}

/** Reads a secret. Returns null if the file does not exist, and throws if it is empty. */
async function readSecret(file: string): Promise<string | null> {
  const advice = 'Restore the right one, or remove it so that a new one is created.';
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (text === '') throw new Error(`The file ${file} is empty. ${advice}`);
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT') return null;
    if (typeof code !== 'string') throw error;
    throw new Error(`The file ${file} could not be read (${code}). ${advice}`, { cause: error });
  }
}
