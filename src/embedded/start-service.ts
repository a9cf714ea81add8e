/** Starts the API, the orchestrator and one probe for all regions as children of all-in-one. */
import { z } from 'zod';
import { buildRoleEnvironment } from '../config/child-environment';
import { listLoopbackTargets } from '../config/loopback-targets';
import { listPorts } from '../config/own-ports';
import { readGivenSettings, type Settings } from '../config/settings';
import type { ProcessRole, SettingName } from '../config/settings-table';
import { computeTemporalMetricsPorts } from '../config/temporal-metrics-ports';
import { deriveLocalProbeKey } from '../platform/local-probe-key';
import { ensureSecret } from './data-folder';
import { choosePort } from './free-port';
import { callOwnProgram } from './own-program';
import type { Servers, ServersContext } from './start-servers';
import type { ProcessPlan } from './supervised-process';

export interface Service {
  /** The URL of the API for programs on this machine. */
  readonly url: string;
  /** The URL of the service for users. */
  readonly publicUrl: string;
  readonly setupToken: string;
  /** True while no account exists. */
  readonly isSetupRequired: boolean;
}

const SECRET_KEY_BYTES = 32;
const SETUP_TOKEN_BYTES = 12;
const REQUEST_TIMEOUT_MS = 5_000;
const setupShape = z.object({ required: z.boolean() });

/** Returns the host at which this machine reaches an API that listens on `host`. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function isChosen(name: SettingName): boolean {
  return name in readGivenSettings().given;
}

async function chooseApiPort(context: ServersContext): Promise<number> {
  const { settings, folder, progress } = context;
  const wanted = settings.PORT;
  const isWanted = isChosen('PORT') && wanted !== 0;
  const remembered = folder.record.current().api?.port;
  const port = await choosePort(isWanted ? wanted : (remembered ?? wanted), settings.HOST);
  if (isWanted && port !== wanted) {
    throw new Error(`PORT ${wanted} is taken by another program.`);
  }
  if (!isWanted && wanted !== 0 && port !== wanted && port !== remembered) {
    progress.say(`Port ${wanted} is taken by another program; using ${port} instead.`);
  }
  await folder.record.update(() => ({ api: { port } }));
  return port;
}

interface SharedSettings {
  readonly settings: Settings;
  readonly servers: Servers;
  readonly apiUrl: string;
}

/** Returns the settings that every role of the service gets. */
function shareSettings({ settings, servers, apiUrl }: SharedSettings): Record<string, string> {
  return {
    KEEPWATCH_API_URL: apiUrl,
    KEEPWATCH_REGIONS: settings.KEEPWATCH_REGIONS.join(','),
    KEEPWATCH_OWN_PORTS: [
      ...settings.KEEPWATCH_OWN_PORTS,
      ...listPorts([apiUrl, servers.temporalAddress, servers.temporalUiUrl, servers.mongodbUri]),
      ...servers.ownPorts,
      ...(computeTemporalMetricsPorts(settings)?.all ?? []),
    ].join(','),
    KEEPWATCH_ALLOWED_PRIVATE_TARGETS: (isChosen('KEEPWATCH_ALLOWED_PRIVATE_TARGETS')
      ? settings.KEEPWATCH_ALLOWED_PRIVATE_TARGETS
      : listLoopbackTargets(settings)
    ).join(','),
    ...servers.temporalSettings,
    ...(servers.temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: servers.temporalUiUrl }),
  };
}

/** True if the API responds and reports all of its dependencies as ready. */
async function isApiReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, {
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status === 200;
}

/** True if a worker has logged that it is ready. If `region` is given, only workers of that region count. */
function hasSaidReady(lastLines: readonly string[], region?: string): boolean {
  const ready = lastLines.filter((line) => line.includes('"msg":"ready"'));
  return ready.some((line) => region === undefined || line.includes(`"region":"${region}"`));
}

async function isSetupRequired(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch(`${url}/v1/setup`, { signal });
  // The API refuses requests when many arrive. The service is then in use, so its setup is complete.
  if (response.status === 429 || response.status === 503) return false;
  if (!response.ok) throw new Error(`GET ${url}/v1/setup responded with ${response.status}.`);
  return setupShape.parse(await response.json()).required;
}

/**
 * The environment of each role, with only the settings that this role needs. Probes get neither the database's URI nor
 * keys of other roles.
 */
interface ServiceEnvironments extends Readonly<Record<ProcessRole, NodeJS.ProcessEnv>> {
  readonly secretKeys: readonly string[];
}

function planService(
  url: string,
  settings: Settings,
  { api, orchestrator, probe, secretKeys }: ServiceEnvironments,
): readonly ProcessPlan[] {
  const { KEEPWATCH_REGIONS: regions } = settings;
  const metrics = computeTemporalMetricsPorts(settings);
  return [
    {
      name: 'api',
      stage: 'api',
      ...callOwnProgram('main/api'),
      environment: api,
      isReady: () => isApiReady(url),
    },
    {
      name: 'orchestrator',
      stage: 'orchestrator',
      ...callOwnProgram('main/orchestrator'),
      environment: {
        ...orchestrator,
        KEEPWATCH_TEMPORAL_METRICS: metrics?.orchestrator ?? '',
      },
      isReady: async (lastLines) => hasSaidReady(lastLines),
    },
    {
      name: 'probe',
      stage: 'probe',
      ...callOwnProgram('main/probe'),
      environment: {
        ...probe,
        KEEPWATCH_PROBE_KEY: regions
          .map((region) => deriveLocalProbeKey(secretKeys, region))
          .join(','),
        KEEPWATCH_TEMPORAL_METRICS: metrics?.probe ?? '',
      },
      isReady: async (lastLines) => regions.every((region) => hasSaidReady(lastLines, region)),
    },
  ];
}

/** Starts the API and the workers, and resolves when all are ready. */
export async function startService(context: ServersContext, servers: Servers): Promise<Service> {
  const { settings, folder, supervisor } = context;
  const port = await chooseApiPort(context);
  const url = `http://${reachableHost(settings.HOST)}:${port}`;
  const setupToken =
    settings.KEEPWATCH_SETUP_TOKEN ??
    (await ensureSecret(folder, 'setup-token', SETUP_TOKEN_BYTES));
  const secretKeys = settings.KEEPWATCH_SECRET_KEY ?? [
    await ensureSecret(folder, 'secret-key', SECRET_KEY_BYTES),
  ];
  const shared = { ...shareSettings({ settings, servers, apiUrl: url }), PORT: String(port) };
  const KEEPWATCH_SECRET_KEY = secretKeys.join(',');
  const withDatabase = { ...shared, KEEPWATCH_SECRET_KEY, MONGODB_URI: servers.mongodbUri };
  const environments = {
    api: { ...buildRoleEnvironment('api'), ...withDatabase, KEEPWATCH_SETUP_TOKEN: setupToken },
    orchestrator: {
      ...buildRoleEnvironment('orchestrator'),
      ...withDatabase,
      // Worker versioning is off, because no worker of an earlier release can be running.
      KEEPWATCH_WORKER_VERSIONING: 'off',
    },
    probe: { ...buildRoleEnvironment('probe'), ...shared },
    secretKeys,
  };
  await supervisor.start(planService(url, settings, environments));
  return {
    url,
    publicUrl: isChosen('KEEPWATCH_PUBLIC_URL')
      ? settings.KEEPWATCH_PUBLIC_URL
      : `http://localhost:${port}`,
    setupToken,
    isSetupRequired: await isSetupRequired(url),
  };
}
