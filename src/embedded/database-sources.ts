/** Finds a database for all-in-one and tests: the configured URI, a mongod, or the embedded database. */
import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findCacheFolder } from './cache-folder';
import { isResponding } from './fetch-archive';
import { type Attempt, findFirst, type Sought, type Source } from './find-first';
import { installOnce, isPresent } from './install-once';
import { MONGODB_SITE, MONGODB_VERSION } from './pinned-servers';
import type { Progress } from './progress';
import { readLastLine, runCommand } from './run-command';

export type DatabaseServer =
  | { readonly kind: 'address'; readonly uri: string }
  | {
      readonly kind: 'mongod';
      readonly path: string;
      readonly origin: string;
      readonly version: string;
    }
  | { readonly kind: 'embedded' };

export interface DatabaseSearch {
  readonly uri: string | undefined;
  /** Path of a mongod. If set, no other mongod is used. */
  readonly mongod: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** False means that no mongod is downloaded. Default: true. */
  readonly mayDownload?: boolean;
  /** For tests: another download site, and a function that downloads a mongod into a folder. */
  readonly site?: string;
  readonly download?: (folder: string) => Promise<string>;
}

const WHAT: Sought<DatabaseServer> = {
  name: 'Database',
  advice: 'Set MONGODB_URI.',
  describe: (found) =>
    found.kind === 'mongod' ? `MongoDB ${found.version} (${found.origin})` : found.kind,
};
const VERSION = /db version v((\d+)\.\d+\.\d+)/;
const MAJOR_MIN = 7;

async function inspect(
  path: string,
  origin: string,
  environment: NodeJS.ProcessEnv,
): Promise<Attempt<DatabaseServer>> {
  const result = await runCommand(path, ['--version'], { environment, timeoutMs: 20_000 });
  if (result.code === 127) return { missed: `no mongod ${origin}` };
  const match = VERSION.exec(result.stdout);
  if (match === null)
    return { missed: `the mongod ${origin} does not run: ${readLastLine(result)}`, isFault: true };
  const [, version = '', major] = match;
  if (Number(major) < MAJOR_MIN) {
    return {
      missed: `the mongod ${origin} is ${version}, but at least ${MAJOR_MIN}.0 is needed`,
      isFault: true,
    };
  }
  return { found: { kind: 'mongod', path, origin, version } };
}

/** The package is imported only here, because it loads a whole database driver and is rarely needed. */
async function downloadMongod(folder: string): Promise<string> {
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({
    version: MONGODB_VERSION,
    downloadDir: folder,
    checkMD5: true,
    arch: process.arch,
    platform: process.platform,
  });
}

async function fillFromSite(search: DatabaseSearch, folder: string): Promise<void> {
  const { environment, progress, download = downloadMongod } = search;
  const work = join(folder, 'work');
  await mkdir(work);
  progress.say(`mongod ${MONGODB_VERSION}: fetching from its download site`);
  const fetched = await download(work);
  const path = join(folder, 'mongod');
  await copyFile(fetched, path);
  await chmod(path, 0o755);
  const checked = await inspect(path, 'from the download site', environment);
  if ('missed' in checked) throw new Error(checked.missed);
  await rm(work, { recursive: true });
}

/**
 * Returns the sources of a database for the case that no URI is configured, in the order in which they are tried. The
 * last source always succeeds.
 */
function databaseSources(search: DatabaseSearch): readonly Source<DatabaseServer>[] {
  const { environment, progress, site = MONGODB_SITE } = search;
  const folder = join(findCacheFolder(environment), `mongodb-${MONGODB_VERSION}`);
  const cached = join(folder, 'mongod');
  async function lookInCache(): Promise<Attempt<DatabaseServer>> {
    if (!(await isPresent(cached))) return { missed: 'not in the cache' };
    return inspect(cached, 'in the cache', environment);
  }
  async function lookAtDownloadSite(): Promise<Attempt<DatabaseServer>> {
    if (search.mayDownload === false) return { missed: 'downloads are off' };
    if (!(await isResponding(site))) return { missed: 'download site did not respond within 3 s' };
    const fill = (partial: string) => fillFromSite(search, partial);
    const path = await installOnce({ folder, executable: 'mongod', fill, progress });
    return inspect(path, 'from its download site', environment);
  }
  return [
    { look: () => inspect('mongod', 'on the PATH', environment) },
    { look: lookInCache },
    { look: lookAtDownloadSite },
    { look: async () => ({ found: { kind: 'embedded' } }) },
  ];
}

/**
 * Returns the configured URI, or the first database that the sources find. If a mongod is configured, only that mongod
 * is used. Throws if the configured mongod cannot be used.
 */
export async function findDatabase(search: DatabaseSearch): Promise<DatabaseServer> {
  const { uri, mongod, environment, progress } = search;
  if (uri !== undefined) return { kind: 'address', uri };
  if (mongod !== undefined) {
    const named = await inspect(mongod, `at ${mongod}`, environment);
    if ('missed' in named) throw new Error(`KEEPWATCH_MONGOD cannot be used: ${named.missed}.`);
    return named.found;
  }
  return findFirst(WHAT, databaseSources(search), progress);
}
