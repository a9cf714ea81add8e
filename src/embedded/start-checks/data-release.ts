/** Stops a release from opening data that a later release has written and this release cannot read. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DataFolder } from '../data-folder';

const version = z.string().regex(/^\d+\.\d+\.\d+$/);
const noteShape = z.object({
  /** The release that wrote to the folder last. */
  release: version,
  /** The oldest release that can read the folder. */
  readableFrom: version,
});
const NAME = 'release.json';

/** Thrown if only a later release can read the folder. */
class NewerDataError extends Error {
  constructor(path: string, { release, readableFrom }: z.output<typeof noteShape>, own: string) {
    super(
      `The data in ${path} was written by Keepwatch ${release}; this is Keepwatch ${own}, which cannot read it. ` +
        `Start Keepwatch ${readableFrom} or newer. To return to ${own}, restore a backup from before the upgrade.`,
    );
    this.name = 'NewerDataError';
  }
}

/**
 * Records that this release writes to the folder from now on. If this release cannot read the data, changes nothing and
 * throws NewerDataError. A folder without a record is new, or is from 0.1.0. Releases that differ only in their third
 * number can read each other's data.
 */
export async function recordRelease({ path }: DataFolder, release: string): Promise<void> {
  const file = join(path, NAME);
  const found = await readNote(file);
  if (found !== null && isOlder(release, found.readableFrom))
    throw new NewerDataError(path, found, release);
  const [major, minor] = release.split('.');
  const note = { release, readableFrom: `${major}.${minor}.0` };
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(partial, file);
}

/** Returns null if the file does not exist. */
async function readNote(file: string): Promise<z.output<typeof noteShape> | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return noteShape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`The file ${file} is damaged. Restore it from a backup, or remove it.`, {
      cause: error,
    });
  }
}

function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  const pairs = (left ?? []).map((part, at) => part - (right?.[at] ?? 0));
  return (pairs.find((difference) => difference !== 0) ?? 0) < 0;
}
