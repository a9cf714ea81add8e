/**
 * The Temporal development server as a child process: its flags and its data file. Namespace and
 * search attributes are prepared in prepare-namespace.ts. It loads no client of Temporal, which would take
 * memory in the supervisor for as long as it runs.
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
  /** Where its UI listens; default: 127.0.0.1. */
  readonly uiIp?: string | undefined;
  readonly uiPort: number;
  /** Of its HTTP API; undefined: any that is free. */
  readonly httpPort?: number | undefined;
  /** Of its own metrics; undefined: any that is free. */
  readonly metricsPort?: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** The API shows the UI under its own address at this path. */
export const UI_PUBLIC_PATH = '/temporal';
/** Where the UI, in the browser, asks for the contents of payloads: at the API. */
const UI_CODEC_ENDPOINT = '/internal/codec';

const SWITCHES = ['--disable-config-file', '--disable-config-env', '--ui-disable-news-fetch'];
// FULL: a power cut must not take back that a step was begun, since a POST would be sent twice then.
// Measured with 400 starts of workflows it costs no more than the noise of the machine.
//
// A row of the server is 1 to 2 KB, and a transaction changes about eight pages, each of which is written whole: small
// pages halve what a check writes. A file keeps the size that it was made with. The server sorts
// pragmas by their names, and the size has to come before the journal: brackets, as SQLite takes them around
// names, sort first. The journal is written back after as many bytes as with pages of the usual 4 KB.
const SQLITE_PRAGMAS = [
  '[page_size]=1024',
  'journal_mode=WAL',
  'synchronous=FULL',
  'busy_timeout=10000',
  'wal_autocheckpoint=4000',
];
// The history shard looks for new tasks 20 times a second (history.transferProcessorMaxPollRPS), which
// is left so: with more checks than that a task waits up to 40 ms for its turn, but measured without
// that bound each check costs a quarter more CPU, since fewer tasks come together.
const DYNAMIC_CONFIG = [
  // Of its HTTP API: a web page whose own name leads to this machine is no client of ours.
  'frontend.httpAllowedHosts=["localhost"]',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'matching.enableFairness=true',
  'frontend.enableServerVersionCheck=false',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=3',
  // A cancelled activity learns it at once, without a heartbeat. Both are off by default.
  'frontend.WorkerCommandsEnabled=true',
  'system.enableCancelActivityWorkerCommand=true',
  // Of 512 goroutines each, whose stacks take memory; one database connection serves them all.
  'history.timerProcessorSchedulerWorkerCount=64',
  'history.transferProcessorSchedulerWorkerCount=64',
  'history.visibilityProcessorSchedulerWorkerCount=64',
  // An attempt of an activity begins with the event that scheduled it. The half megabyte that the server keeps by itself
  // holds those of 500 watches; with more, each hand-over reads its history from the file.
  'history.eventsCacheMaxSizeBytes=4194304',
  // What has ended leaves the memory after minutes: 3,000 workflows that had ended held 70 MB of heap. By itself the
  // server keeps it until 8,096 entries push it out.
  'history.cacheTTL="5m"',
  'history.cacheBackgroundEvict={"Enabled":true,"LoopInterval":"1m","MaxEntryPerCall":1024}',
];

/** The server never migrates its file: the name says which minor version may open it. */
function dataFile({ folder, program }: TemporalProcess): string {
  const [major, minor] = program.serverVersion.split('.');
  return join(folder, `temporal-${major}.${minor}.db`);
}

const DATA_FILE = /^temporal-(\d+)\.(\d+)\.db$/;

/** `major.minor` of the server that wrote the data of the folder, the newest where there are several. */
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

/** True when the server tells its UI about itself within 2 s, as it would any other client. */
async function isTemporalServing(uiIp: string, uiPort: number): Promise<boolean> {
  const url = `http://${uiIp}:${uiPort}${UI_PUBLIC_PATH}/api/v1/system-info`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
  return response.ok;
}

/**
 * A loopback IP address that no web page knows, for the UI, which answers to every host name: a page whose own name
 * leads to this machine (DNS rebinding) would have to find one of sixteen million. macOS has 127.0.0.1 only.
 */
export function chooseUiIp(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux' && platform !== 'win32') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** How the server is started on loopback with its data in the folder. */
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
