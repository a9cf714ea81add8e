// Locks a data folder for one process. The lock names its owner. If the owner has ended, its lock is replaced.
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown when the folder cannot be used. The message is one sentence for the operator. */
export class FolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FolderError';
  }
}

/** Releases the folder. May be called twice. */
export type ReleaseFolder = () => void;

const TAKEOVER_STALE_MS = 10_000;
const heldFolders = new Set<string>();

/**
 * Locks the folder for this process. Throws {@link FolderError} if the folder is in use or cannot be locked. Recognises
 * the lock of a killed process by process id and start time.
 */
export function lockFolder(folder: string): ReleaseFolder {
  if (heldFolders.has(folder)) throw inUse(folder, process.pid);
  createFolder(folder);
  const file = join(folder, 'keepwatch.lock');
  if (!createLock(file)) replaceStaleLock(folder, file);
  heldFolders.add(folder);
  return () => {
    if (!heldFolders.delete(folder)) return;
    rmSync(file, { force: true });
  };
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new FolderError(`The data folder ${folder} cannot be created: ${formatReason(error)}.`);
  }
}

// Creates the lock as a symbolic link whose target is the text of the lock. Creating a link is atomic and needs no disk
// space. Returns false if there is already a lock.
function createLock(file: string): boolean {
  try {
    symlinkSync(JSON.stringify({ pid: process.pid, started: readStart(process.pid) }), file);
    return true;
  } catch (error) {
    if (readCode(error) === 'EEXIST') return false;
    throw new FolderError(`The data folder cannot be locked: ${formatReason(error)}.`);
  }
}

// Replaces the lock of a process that has ended. Two processes may try this at once. Only the process that has created
// the takeover file replaces the lock.
function replaceStaleLock(folder: string, file: string): void {
  const takeover = `${file}.takeover`;
  removeAbandoned(takeover);
  if (!createLock(takeover)) throw inUse(folder, undefined);
  try {
    const owner = readOwner(file);
    if (owner && isRunning(owner)) throw inUse(folder, owner.pid);
    rmSync(file, { force: true });
    if (!createLock(file)) throw inUse(folder, undefined);
  } finally {
    rmSync(takeover, { force: true });
  }
}

function removeAbandoned(takeover: string): void {
  const stats = lstatSync(takeover, { throwIfNoEntry: false });
  if (stats && Date.now() - stats.mtimeMs > TAKEOVER_STALE_MS) rmSync(takeover, { force: true });
}

interface Owner {
  readonly pid: number;
  readonly started: string;
}

function readOwner(file: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(readlinkSync(file));
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  return 'pid' in value && typeof value.pid === 'number' && 'started' in value;
}

function isRunning(owner: Owner): boolean {
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (readCode(error) === 'ESRCH') return false;
  }
  return readStart(owner.pid) === owner.started;
}

// Returns the start time of a process. It distinguishes processes that have had the same id. Returns an empty text if
// the time is unknown or the process has ended.
function readStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie process has ended, so it does not use the folder.
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function inUse(folder: string, pid: number | undefined): FolderError {
  const owner = pid === undefined ? 'another process' : `the running process ${pid}`;
  return new FolderError(`The data folder ${folder} is in use by ${owner}.`);
}

function readCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
