/** The API: listens immediately, connects to its database, and serves requests once the database is available. */
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { createApp, createStartingApp } from '../api/create-app';
import { createMetrics } from '../api/operator/metrics-router';
import { createHttpServer } from '../api/server/http-server';
import { isLocalHost, isLocalUrl } from '../api/server/local-hosts';
import { createLateDependency, createReadiness } from '../api/server/readiness';
import { readSettings, requireSetting, type SettingsFor } from '../config/settings';
import { readTemporalAddress } from '../config/temporal-settings';
import { readWatchdog } from '../config/watchdog-rows';
import { createStores, type Database, describeServer } from '../models';
import type { Clock } from '../platform/clock';
import { exitWithParent, hasParent } from '../platform/exit-with-parent';
import { type Copies, createCopies, startConfirming } from '../platform/last-good';
import { createLogger, type Logger } from '../platform/logger';
import {
  createRegionKeyrings,
  type RegionKeyrings,
  renewRepeatedly,
} from '../platform/region-keyrings';
import { createSharedClock } from '../platform/shared-clock';
import { createShutdown, type Shutdown } from '../platform/shutdown';
import { announceStart, endOnFailure, retryUntilUp } from '../platform/start-role';
import { readVersion } from '../platform/version';
import { watchEventLoop } from '../platform/watch-event-loop';
import { recordServiceUptime } from '../services/heartbeats/record-service-uptime';
import { startSilenceReports } from '../services/operations/watchdog/report-silence';
import { isProxiedUi } from '../services/operations/workflow-url';
import type { Dependencies, Installation } from '../services/ports/dependencies';
import { readRotations } from '../services/regions/rotate-region-key';
import { isSetUpRequired } from '../services/sessions/set-up';
import { watchForLostProbes } from '../services/watches/notice-lost-probes';
import { awaitTemporal, createTemporalClient } from '../temporal/connect';
import { createNamespaceCheck } from '../temporal/namespace-check';
import { createPayloadReader } from '../temporal/payload-reader';
import { createWorkflowGateway } from '../temporal/workflow-gateway';
import { composeServices, createIds } from './api-services';
import { openDatabase } from './open-database';
import { startMetricsExport } from './open-metrics-export';
import { startTracing } from './open-tracing';
import { createWatchdogSender } from './watchdog-sender';

async function main(): Promise<void> {
  const settings = readSettings('api');
  const { PORT: port, HOST: host } = settings;
  const logger = createLogger('api', settings.LOG_LEVEL);
  announceStart(logger);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  shutdown.onClose('watch of the event loop', watchEventLoop('api').stop);
  exitWithParent();

  const uri = requireSetting(settings.MONGODB_URI, 'MONGODB_URI');
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const { clock, newId } = sharedTime();
  const temporalAddress = readTemporalAddress(settings);
  const tracing = await startTracing(settings, 'api', shutdown);
  const temporal = createTemporalClient(temporalAddress, secretKeys, tracing);
  // This call only logs why Temporal is unavailable. A failed request to Temporal would not log the reason.
  void awaitTemporal(temporalAddress, logger);
  shutdown.onClose('Temporal connection', () => temporal.connection.close());
  const gateway = createWorkflowGateway(temporal);

  let database: Database | undefined;
  shutdown.onClose('database', async () => database?.close());
  const regionKeyrings = buildRegionKeyrings(secretKeys, () => database);
  const mongo = createLateDependency('database');
  const checks = [mongo, { name: 'temporal', ping: gateway.ping }, createNamespaceCheck(temporal)];
  const options = {
    ...settingsOfApp(settings, secretKeys),
    logger,
    newRequestId: () => newId('request'),
    readReadiness: createReadiness(checks, steadyNow),
    tracing,
    dashboardFolder: path.join(__dirname, '..', 'dashboard'),
    temporalUi: buildTemporalUi(settings, secretKeys, regionKeyrings),
  };
  const http = createHttpServer(createStartingApp(options));
  await http.listen({ host, port });
  shutdown.onClose('HTTP server', http.close);

  const open = (): Promise<Database> => openDatabase(uri, { logger, clock });
  database = await retryUntilUp({ what: 'the database', logger }, open);
  const services = composeServices(settings, logger, {
    clock,
    newId,
    stores: createStores(database, clock),
    gateway,
    installation: describeInstallation(settings, database),
    regionKeyrings,
  });
  shutdown.onClose('keys of regions', await renewRepeatedly(regionKeyrings));
  // Streams must be closed before the HTTP server, because the server would wait for them forever.
  shutdown.onClose('live changes', services.changeFeed.close);
  await announceSetUp(settings, logger, services);
  const metrics = createMetrics(options, services);
  http.use(createApp({ ...options, copies: createPageCopies(clock, shutdown) }, services, metrics));
  await startMetricsExport(settings, shutdown, metrics.read);
  startObservers(settings, shutdown, services);
  mongo.setPing(database.ping);
  logger.info({ host, port }, 'ready');
}

/** Creates the copies of data that status pages show while the database is unavailable. */
function createPageCopies(clock: Clock, shutdown: Shutdown): Copies {
  const copies = createCopies(clock);
  shutdown.onClose('copies of status pages', startConfirming(copies));
  return copies;
}

async function announceSetUp(
  { KEEPWATCH_SETUP_TOKEN: known, KEEPWATCH_PUBLIC_URL: publicUrl }: SettingsFor<'api'>,
  logger: Logger,
  services: Dependencies,
): Promise<void> {
  if (known !== undefined || !(await isSetUpRequired(services))) return;
  const { setupToken } = services;
  logger.warn({ publicUrl, setupToken }, 'no account yet: POST /v1/setup with this token');
}

/** Starts the loops that run while this API serves requests. */
function startObservers(
  settings: SettingsFor<'api'>,
  shutdown: Shutdown,
  services: Dependencies,
): void {
  shutdown.onClose('recorder of service uptime', recordServiceUptime({ ...services, steadyNow }));
  shutdown.onClose('lost probes', watchForLostProbes({ ...services, steadyNow }));
  startWatchdogReports(settings, shutdown, services);
}

/**
 * Reports missing canaries to the watchdog's receiver. A canary is a test message that takes the path of a check. Does
 * nothing if no watchdog is set.
 */
function startWatchdogReports(
  settings: SettingsFor<'api'>,
  shutdown: Shutdown,
  services: Dependencies,
): void {
  const watchdog = readWatchdog(settings);
  if (watchdog === null) return;
  const { stores, gateway, clock } = services;
  const servers = [`:${settings.PORT}`, settings.TEMPORAL_ADDRESS, settings.MONGODB_URI];
  const send = createWatchdogSender(watchdog, { settings, servers, stores, clock });
  const { everyMs } = watchdog;
  const needs = { everyMs, watchdog: stores.watchdog, gateway, send, steadyNow };
  shutdown.onClose('watchdog', startSilenceReports(needs));
}

function settingsOfApp(settings: SettingsFor<'api'>, secretKeys: readonly string[]) {
  const { HOST: host, KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  return {
    publicUrl,
    secretKeys,
    isLocalOnly: isLocalHost(host) && isLocalUrl(publicUrl),
    metricsToken: settings.KEEPWATCH_METRICS_TOKEN ?? null,
    trustedProxies: settings.KEEPWATCH_TRUST_PROXY,
    corsOrigins: settings.KEEPWATCH_CORS_ORIGINS,
  };
}

function sharedTime() {
  const clock = createSharedClock();
  return { clock, newId: createIds(clock) };
}

const steadyNow = (): number => performance.now();

/** Builds the keyrings of the regions. Until the database is open, every region's key counts as never rotated. */
function buildRegionKeyrings(secretKeys: readonly string[], database: () => Database | undefined) {
  const rotations = async (): Promise<ReadonlyMap<string, number>> => {
    const opened = database();
    return opened === undefined ? new Map() : readRotations(createStores(opened).regionKeys);
  };
  return createRegionKeyrings({ secretKeys, readRotations: rotations, steadyNow });
}

function buildTemporalUi(
  settings: SettingsFor<'api'>,
  secretKeys: readonly string[],
  keyrings: RegionKeyrings,
) {
  return {
    url: isProxiedUi(settings.TEMPORAL_UI_URL) ? settings.TEMPORAL_UI_URL : null,
    readPayloads: createPayloadReader(secretKeys, settings.TEMPORAL_NAMESPACE, keyrings),
  };
}

function describeInstallation(settings: SettingsFor<'api'>, database: Database): Installation {
  const dataFolder = hasParent() ? path.resolve(settings.KEEPWATCH_DATA_DIR) : null;
  return {
    version: readVersion(),
    nodeVersion: process.versions.node,
    temporalAddress: requireSetting(settings.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS'),
    dataFolder,
    readFreeBytes: async () => (dataFolder === null ? null : readFreeBytes(dataFolder)),
    describeDatabase: () => describeServer(database),
  };
}

async function readFreeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? null : found.bavail * found.bsize;
}

main().catch(endOnFailure);
