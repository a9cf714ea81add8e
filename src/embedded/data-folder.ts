/**
 * The data folder of all-in-one: claimed by one process at a time, with the keys that are made
 * once and kept.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lock } from 'proper-lockfile';
import { z } from 'zod';
import { errorCode } from './error-code';
import { isAlive, type NotedProcess, noteProcess } from './process-identity';
import { openServerRecord, type ServerRecordFile } from './server-record';

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  readonly record: ServerRecordFile;
  /** Lets the next process claim it. */
  readonly release: () => Promise<void>;
}

/** Somebody else works on the folder. */
class DataFolderInUseError extends Error {
  constructor(path: string, pid: number) {
    super(
      `Keepwatch already runs on the data folder ${path} (process ${pid}). Stop it first, or give this one a folder of its own with KEEPWATCH_DATA_DIR.`,
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
 * Makes the folder when it is missing and claims it, or throws DataFolderInUseError. A claim ends
 * with its process, even one that was killed. From then on only this user may enter the folder, also
 * one that was open to others.
 */
export async function claimDataFolder(folder: string): Promise<DataFolder> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  const note = join(path, 'running.json');
  // Held for the moment between reading and writing the note only.
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
 * The text of a secret file that only this user may read; made from `bytes` random bytes in hex
 * the first time, the same ever after. A file that is there and cannot be read, or is empty, stops
 * the start: a new key in its place would make all that the old one sealed unreadable.
 */
export async function keepSecret(folder: DataFolder, name: string, bytes: number): Promise<string> {
  const file = join(folder.path, name);
  const kept = await readSecret(file);
  if (kept !== null) return kept;
  const made = randomBytes(bytes).toString('hex');
  // Whole or not at all, so that a crash leaves no half of it.
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, `${made}\n`, { mode: 0o600 });
  await rename(partial, file);
  return made;
}

/** null: there is no such file. */
async function readSecret(file: string): Promise<string | null> {
  const advice = 'Put the right one there, or remove it to have a new one made.';
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (text === '') throw new Error(`The file ${file} is empty. ${advice}`);
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return null;
    if (typeof code !== 'string') throw error;
    throw new Error(`The file ${file} could not be read (${code}). ${advice}`, { cause: error });
  }
}
