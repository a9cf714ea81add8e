/**
 * The Temporal development server as a child process: its flags and its data file. Must not import Temporal's client,
 * which would use memory in the supervising process.
 */
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTE_TYPES } from '../contracts/search-attributes';
import { callForeignProgram } from './own-program';
import type { ProcessPlan } from './supervised-process';
import type { TemporalProgram } from './temporal-sources';

export interface TemporalProcess {
  readonly program: TemporalProgram;
  /** Folder of the data file. */
  readonly folder: string;
  readonly port: number;
  /** The IP address at which the server's UI listens. The default is 127.0.0.1. */
  readonly uiIp?: string | undefined;
  readonly uiPort: number;
  /** Port of the server's HTTP API. undefined means any free port. */
  readonly httpPort?: number | undefined;
  /** Port of the server's own metrics. undefined means any free port. */
  readonly metricsPort?: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Path of the Temporal UI below the URL of the API. The API serves the UI at this path. */
export const UI_PUBLIC_PATH = '/temporal';
/** The API's endpoint that decodes payloads for the UI in the browser. */
const UI_CODEC_ENDPOINT = '/internal/codec';

const SWITCHES = ['--disable-config-file', '--disable-config-env', '--ui-disable-news-fetch'];
// Options of the database file:
// - synchronous=FULL: after a power cut, the record that a step has started must still exist. Otherwise, a POST would
//   be sent twice.
// - page_size: small pages halve the bytes written per check, because rows have 1 to 2 KB.
// - The brackets: the page size must be set before the journal mode, but the server sorts pragmas by name. A name in
//   brackets sorts first, and SQLite accepts it.
// - wal_autocheckpoint: the WAL is checkpointed after the usual number of bytes.
const SQLITE_PRAGMAS = [
  '[page_size]=1024',
  'journal_mode=WAL',
  'synchronous=FULL',
  'busy_timeout=10000',
  'wal_autocheckpoint=4000',
];
// Settings of the server. `history.transferProcessorMaxPollRPS` is not among them, so the server polls for new tasks at
// most 20 times per second. A task may therefore wait up to 40 ms. Without this limit, each check would use a quarter
// more CPU.
const DYNAMIC_CONFIG = [
  // The HTTP API accepts requests for no other host name. A web page could otherwise reach it by pointing its own host
  // name at this machine (DNS rebinding).
  'frontend.httpAllowedHosts=["localhost"]',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'matching.enableFairness=true',
  'frontend.enableServerVersionCheck=false',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=3',
  // With these two settings, an activity is notified of its cancellation at once. Both settings are off by default.
  'frontend.WorkerCommandsEnabled=true',
  'system.enableCancelActivityWorkerCommand=true',
  // By default, there are 512 goroutines per processor, which use much memory. 64 are enough, because all of them share
  // one database connection.
  'history.timerProcessorSchedulerWorkerCount=64',
  'history.transferProcessorSchedulerWorkerCount=64',
  'history.visibilityProcessorSchedulerWorkerCount=64',
  // Size of the cache from which the first event of each activity attempt is read. The default is enough for 500
  // watches (long activities). With more watches, each hand-over of a watch would read the history from the file.
  'history.eventsCacheMaxSizeBytes=4194304',
  // Removes closed workflows from memory after a few minutes. 3,000 of them took 70 MB.
  'history.cacheTTL="5m"',
  'history.cacheBackgroundEvict={"Enabled":true,"LoopInterval":"1m","MaxEntryPerCall":1024}',
];

/** Returns the data file. Its name contains the server's minor version, because the server never migrates its file. */
function dataFile({ folder, program }: TemporalProcess): string {
  const [major, minor] = program.serverVersion.split('.');
  return join(folder, `temporal-${major}.${minor}.db`);
}

const DATA_FILE = /^temporal-(\d+)\.(\d+)\.db$/;

/**
 * Returns the `major.minor` version of the server that wrote the data in the folder. If several versions have written
 * data, returns the newest. undefined if there is no data.
 */
export async function findDataVersion(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  const versions = names.flatMap((name) => {
    const [, major, minor] = DATA_FILE.exec(name) ?? [];
    return major === undefined || minor === undefined
      ? []
      : [[Number(major), Number(minor)] as const];
  });
  const [newest] = versions.toSorted(([a, b], [c, d]) => c - a || d - b);
  return newest?.join('.');
}

/** True if the server responds within 2 s. The request goes through the server's UI. */
async function isTemporalServing(uiIp: string, uiPort: number): Promise<boolean> {
  const url = `http://${uiIp}:${uiPort}${UI_PUBLIC_PATH}/api/v1/system-info`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.ok;
}

/**
 * Chooses a random loopback IP address for the UI. The UI accepts every host name, so a page could reach it by DNS
 * rebinding, but would have to guess the address. On macOS, the only address is 127.0.0.1.
 */
export function chooseUiIp(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux' && platform !== 'win32') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Describes how to start the server, on loopback and with its data in the folder. */
export function planTemporal(server: TemporalProcess): ProcessPlan {
  const { program, port, uiPort, httpPort, metricsPort, environment } = server;
  const { uiIp = '127.0.0.1' } = server;
  const flags: readonly (readonly [string, string])[] = [
    ['--ip', '127.0.0.1'],
    ['--port', String(port)],
    ['--ui-ip', uiIp],
    ['--ui-port', String(uiPort)],
    ['--ui-public-path', UI_PUBLIC_PATH],
    ['--ui-codec-endpoint', UI_CODEC_ENDPOINT],
    ...(httpPort === undefined ? [] : [['--http-port', String(httpPort)] as const]),
    ...(metricsPort === undefined ? [] : [['--metrics-port', String(metricsPort)] as const]),
    ['--db-filename', dataFile(server)],
    ['--log-format', 'json'],
    ...SQLITE_PRAGMAS.map((pragma) => ['--sqlite-pragma', pragma] as const),
    ...DYNAMIC_CONFIG.map((entry) => ['--dynamic-config-value', entry] as const),
    ...Object.entries(SEARCH_ATTRIBUTE_TYPES).map(
      ([name, type]) => ['--search-attribute', `${name}=${type}`] as const,
    ),
  ];
  const args = ['server', 'start-dev', ...SWITCHES, ...flags.flat()];
  return {
    name: 'temporal',
    stage: 'temporal',
    ...callForeignProgram(program.path, args),
    environment,
    isReady: () => isTemporalServing(uiIp, uiPort),
  };
}
