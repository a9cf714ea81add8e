/**
 * Installs a downloaded server in the cache only once, even if several processes need it at the same time. A folder has
 * its final name only when it is complete.
 */
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lock } from 'proper-lockfile';
import { readErrorCode } from './error-code';
import type { Progress } from './progress';

export async function isPresent(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export interface InstallOrder {
  /** The final folder inside the cache. */
  readonly folder: string;
  /** The file inside the folder that is the program. Without this file, the folder counts as missing. */
  readonly executable: string;
  /** Fills an empty folder with the verified files, or throws. */
  readonly fill: (partialFolder: string) => Promise<void>;
  readonly progress: Progress;
}

const STALE_MS = 10_000;

const WAIT = { retries: 1200, factor: 1, minTimeout: 500, maxTimeout: 500 };

async function acquire(folder: string, progress: Progress): Promise<() => Promise<void>> {
  const options = { realpath: false, stale: STALE_MS, update: STALE_MS / 4 };
  try {
    return await lock(folder, options);
  } catch (error) {
    if (readErrorCode(error) !== 'ELOCKED') throw error;
    progress.say(`${basename(folder)}: another process is fetching it, waiting for it`);
    return lock(folder, { ...options, retries: WAIT });
  }
}

async function removeLeftovers(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.partial-`;
  const names = await readdir(dirname(folder));
  await Promise.all(
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })),
  );
}

/**
 * Returns the path of the executable. The first process installs the server. After 10 s, the lock of a killed process
 * is taken over.
 */
export async function installOnce(order: InstallOrder): Promise<string> {
  const { folder, executable, fill, progress } = order;
  const final = join(folder, executable);
  await mkdir(dirname(folder), { recursive: true });
  const release = await acquire(folder, progress);
  try {
    if (await isPresent(final)) return final;
    await removeLeftovers(folder);
    const partial = `${folder}.partial-${process.pid}`;
    await mkdir(partial);
    try {
      await fill(partial);
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return final;
  } finally {
    await release();
  }
}
