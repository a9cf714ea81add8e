/**
 * Starts the database and Temporal for all-in-one, if no external ones are configured. Uses the ports of the last run
 * again if they are free.
 */
import { mkdir } from 'node:fs/promises';
import { buildRoleEnvironment } from '../config/child-environment';
import type { Settings } from '../config/settings';
import { computeTemporalMetricsPorts } from '../config/temporal-metrics-ports';
import type { DataFolder } from './data-folder';
import { buildDatabaseUri, type DatabaseAddress } from './database-address';
import {
  buildDatabaseFolder,
  findDatabaseWithData,
  findSocket,
  type LocalDatabase,
  planDatabase,
} from './database-process';
import { type DatabaseServer, findDatabase } from './database-sources';
import { choosePort } from './free-port';
import { callOwnProgram } from './own-program';
import type { Progress } from './progress';
import { runCommand } from './run-command';
import type { ProcessPlan } from './supervised-process';
import type { Supervisor } from './supervisor';
import { chooseUiIp, findDataVersion, planTemporal, UI_PUBLIC_PATH } from './temporal-process';
import { findTemporal, type TemporalServer } from './temporal-sources';

export interface ServersContext {
  readonly settings: Settings;
  readonly folder: DataFolder;
  readonly supervisor: Supervisor;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
}

/** The servers and their URLs, which the service's settings and the banner need. */
export interface Servers {
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  /** Settings with which the processes of the service connect to the Temporal server. */
  readonly temporalSettings: Readonly<Record<string, string>>;
  readonly temporalUiUrl: string | undefined;
  /** Describes the servers and their limits. */
  readonly databaseLabel: string;
  readonly temporalLabel: string;
  /** Ports that other users of this machine can use without a password. */
  readonly openPorts: readonly string[];
  /** Ports that our own Temporal server listens on. */
  readonly ownPorts: readonly number[];
}

/**
 * Settings for connections to our own Temporal server. This server uses neither TLS nor API keys, even if the
 * environment sets them.
 */
const IN_THE_CLEAR = {
  TEMPORAL_TLS: '',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: '',
  TEMPORAL_TLS_SERVER_NAME: '',
  TEMPORAL_TLS_CLIENT_CERT_PATH: '',
  TEMPORAL_TLS_CLIENT_KEY_PATH: '',
  TEMPORAL_API_KEY: '',
};
const PREPARED_WITHIN_MS = 60_000;

type DatabasePart = Pick<Servers, 'mongodbUri' | 'databaseLabel' | 'openPorts'> & {
  plan?: ProcessPlan;
};
type TemporalPart = Omit<Servers, 'mongodbUri' | 'databaseLabel'> & {
  plan?: ProcessPlan;
};

async function chooseDatabase(context: ServersContext): Promise<DatabaseServer> {
  const { settings, folder, environment, progress } = context;
  const uri = settings.MONGODB_URI;
  const holder = uri === undefined ? await findDatabaseWithData(folder.path) : undefined;
  if (holder === 'embedded') {
    if (settings.KEEPWATCH_MONGOD !== undefined) {
      progress.say('Database: the embedded one, because it contains the data of this folder.');
    }
    return { kind: 'embedded' };
  }
  const found = await findDatabase({
    uri,
    mongod: settings.KEEPWATCH_MONGOD,
    environment,
    progress,
    mayDownload: settings.KEEPWATCH_DOWNLOADS === 'on',
  });
  if (holder === 'mongod' && found.kind === 'embedded') {
    throw new Error(
      `The data in ${folder.path} was written by a mongod, but none can be found now. Put mongod on the PATH or name it in KEEPWATCH_MONGOD.`,
    );
  }
  return found;
}

function describeDatabase(server: LocalDatabase): string {
  return server.kind === 'mongod'
    ? `MongoDB ${server.version} (mongod ${server.origin}; one node, no replica)`
    : 'embedded (for production set MONGODB_URI)';
}

async function prepareDatabase(context: ServersContext): Promise<DatabasePart> {
  const { folder, environment } = context;
  const server = await chooseDatabase(context);
  if (server.kind === 'address') {
    return {
      mongodbUri: server.uri,
      databaseLabel: 'MongoDB of your own (MONGODB_URI)',
      openPorts: [],
    };
  }
  const socket = findSocket(folder.path, server.kind);
  const address: DatabaseAddress =
    socket === null
      ? { port: await choosePort(folder.record.current().database?.port) }
      : { socket };
  const mongodbUri = buildDatabaseUri(address);
  await folder.record.update(() => ({
    database: { uri: mongodbUri, ...('port' in address ? address : {}) },
  }));
  await mkdir(buildDatabaseFolder(folder.path, server.kind), { recursive: true });
  return {
    mongodbUri,
    databaseLabel: describeDatabase(server),
    openPorts: 'port' in address ? [`the database at 127.0.0.1:${address.port}`] : [],
    plan: planDatabase({ server, folder: folder.path, address, environment }),
  };
}

function ownTemporal(address: string, settings: Settings): TemporalPart {
  return {
    temporalAddress: address,
    temporalSettings: { TEMPORAL_ADDRESS: address },
    temporalUiUrl: settings.TEMPORAL_UI_URL,
    temporalLabel: `Temporal server of your own at ${address}`,
    openPorts: [],
    ownPorts: [],
  };
}

async function prepareTemporal(context: ServersContext): Promise<TemporalPart> {
  const { settings, folder, environment, progress } = context;
  const dataVersion = await findDataVersion(folder.path);
  const found: TemporalServer = await findTemporal({
    address: settings.TEMPORAL_ADDRESS,
    environment,
    progress,
    dataVersion,
    mayDownload: settings.KEEPWATCH_DOWNLOADS === 'on',
  });
  if (found.kind === 'address') return ownTemporal(found.address, settings);
  const remembered = folder.record.current().temporal;
  const port = await choosePort(remembered?.port);
  const uiPort = await choosePort(remembered?.uiPort);
  const uiIp = chooseUiIp();
  // The HTTP API has no password, so checks must not reach it. Its port is chosen here, so that it can be added to
  // `ownPorts`.
  const httpPort = await choosePort(undefined);
  const address = `127.0.0.1:${port}`;
  await folder.record.update(() => ({ temporal: { address, port, uiPort } }));
  return {
    temporalAddress: address,
    temporalSettings: { TEMPORAL_ADDRESS: address, ...IN_THE_CLEAR },
    temporalUiUrl: settings.TEMPORAL_UI_URL ?? `http://${uiIp}:${uiPort}${UI_PUBLIC_PATH}`,
    temporalLabel: `Temporal development server ${found.serverVersion} (${found.origin})`,
    openPorts: [`Temporal at ${address}`, `its UI at ${uiIp}:${uiPort}`],
    ownPorts: [port, uiPort, httpPort],
    plan: planTemporal({
      program: found,
      folder: folder.path,
      port,
      uiIp,
      uiPort,
      httpPort,
      metricsPort: computeTemporalMetricsPorts(settings)?.server,
      environment,
    }),
  };
}

/**
 * Prepares the namespace in a short-lived process. In the process of all-in-one, Temporal's client would occupy memory
 * for as long as the service runs. If the process fails, throws an error with its stderr.
 */
async function prepareNamespace({ temporalSettings }: TemporalPart): Promise<void> {
  const { command, args } = callOwnProgram('main/prepare-namespace');
  const environment = { ...buildRoleEnvironment('orchestrator'), ...temporalSettings };
  const { code, stderr } = await runCommand(command, args, {
    environment,
    timeoutMs: PREPARED_WITHIN_MS,
  });
  if (code !== 0) throw new Error(`The Temporal namespace is not prepared: ${stderr.trim()}`);
}

/** Starts both servers. Resolves when they are ready and the Temporal namespace is prepared. */
export async function startServers(context: ServersContext): Promise<Servers> {
  const [{ plan: databasePlan, ...database }, { plan: temporalPlan, ...temporal }] =
    await Promise.all([prepareDatabase(context), prepareTemporal(context)]);
  const plans = [databasePlan, temporalPlan].filter((plan) => plan !== undefined);
  await context.supervisor.start(plans);
  await prepareNamespace(temporal);
  return { ...database, ...temporal, openPorts: [...database.openPorts, ...temporal.openPorts] };
}
