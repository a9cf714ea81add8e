/** The orchestrator: runs the workflows and writes their decisions to the database. */
import { totalmem } from 'node:os';
import type { Client } from '@temporalio/client';
import { readSettings, requireSetting, type SettingsFor } from '../config/settings';
import { readTemporalAddress } from '../config/temporal-settings';
import { readWatchdog } from '../config/watchdog-rows';
import { createStores, type Database } from '../models';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger, type Logger } from '../platform/logger';
import { createRegionKeyrings, renewRepeatedly } from '../platform/region-keyrings';
import { createSharedClock } from '../platform/shared-clock';
import { createShutdown, type Shutdown } from '../platform/shutdown';
import { announceStart, endOnFailure, retryUntilUp } from '../platform/start-role';
import { watchEventLoop } from '../platform/watch-event-loop';
import { readRotations } from '../services/regions/rotate-region-key';
import { createAlertWorker } from '../temporal/alert-worker';
import { computeCachedWorkflows } from '../temporal/cached-workflows';
import { createTemporalClient } from '../temporal/connect';
import { createDataConverter } from '../temporal/data-converter';
import { ensureHousekeeping } from '../temporal/ensure-housekeeping';
import { ensureWatchdog } from '../temporal/ensure-watchdog';
import { createLetterWorker } from '../temporal/letter-worker';
import { createOrchestratorWorker } from '../temporal/orchestrator-worker';
import { connectWorker, runWorker } from '../temporal/run-worker';
import { installRuntime } from '../temporal/runtime/install-runtime';
import { requireServerVersion, warnWithoutPush } from '../temporal/server-version';
import { ensureCurrentBuild } from '../temporal/upgrade/ensure-current-build';
import { readOwnBuild } from '../temporal/upgrade/own-build';
import { composeActivities } from './compose-activities';
import { openDatabase } from './open-database';
import { startTracing } from './open-tracing';

/** The deadline of calls to Temporal. It may be long, because the server has just responded. */
const SERVER_DEADLINE_MS = 30_000;

async function main(): Promise<void> {
  const settings = readSettings('orchestrator');
  const logger = createLogger('orchestrator', settings.LOG_LEVEL);
  announceStart(logger);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  shutdown.onClose('watch of the event loop', watchEventLoop('orchestrator').stop);
  exitWithParent();
  const failures = installRuntime(logger, settings.KEEPWATCH_TEMPORAL_METRICS);
  const tracing = await startTracing(settings, 'orchestrator', shutdown);

  const uri = requireSetting(settings.MONGODB_URI, 'MONGODB_URI');
  const clock = createSharedClock();
  const open = () => openDatabase(uri, { logger, clock });
  const database = await retryUntilUp({ what: 'the database', logger }, open);
  shutdown.onClose('database', database.close);

  const temporalAddress = readTemporalAddress(settings);
  const { namespace } = temporalAddress;
  const connection = await connectWorker(temporalAddress, logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const client = createTemporalClient(temporalAddress, secretKeys, tracing);
  shutdown.onClose('Temporal client', () => client.connection.close());
  await client.withDeadline(Date.now() + SERVER_DEADLINE_MS, () =>
    requireServerVersion(client.workflowService),
  );

  const { activities, alerts, letters } = composeActivities(settings, {
    database,
    client,
    clock,
    logger,
  });
  const regionKeyrings = createKeyrings(database, secretKeys);
  shutdown.onClose('keys of regions', await renewRepeatedly(regionKeyrings));
  const dataConverter = createDataConverter(secretKeys, namespace, regionKeyrings);
  const cachedWorkflows =
    settings.KEEPWATCH_CACHED_WORKFLOWS ??
    computeCachedWorkflows({ limitBytes: process.constrainedMemory(), machineBytes: totalmem() });
  const build = settings.KEEPWATCH_WORKER_VERSIONING === 'on' ? await readOwnBuild() : null;
  const served = { connection, namespace, dataConverter, tracing };
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createOrchestratorWorker({ ...served, activities, cachedWorkflows, build, failures }),
  );
  await client.withDeadline(Date.now() + SERVER_DEADLINE_MS, () =>
    warnWithoutPush(client.workflowService, namespace, logger),
  );
  const running = runWorker(worker, logger);
  const senders = await startSenders({ ...served, alerts, letters, logger });
  // All workers stop polling at the same time. Otherwise, one worker would take new work while another worker finishes.
  shutdown.onClose('workers', async () => {
    await Promise.all([running, ...senders].map(({ stop }) => stop()));
  });
  startWorkflows(settings, client, { shutdown, logger });
  shutdown.onClose('build', ensureCurrentBuild({ client, build, logger }));
  await Promise.all([running, ...senders].map(({ ended }) => ended));
}

function createKeyrings(database: Database, secretKeys: readonly string[]) {
  const { regionKeys } = createStores(database);
  return createRegionKeyrings({
    secretKeys,
    readRotations: () => readRotations(regionKeys),
    steadyNow: () => performance.now(),
  });
}

type Senders = Omit<Parameters<typeof createAlertWorker>[0], 'activities'> &
  Pick<ReturnType<typeof composeActivities>, 'alerts' | 'letters'> & { readonly logger: Logger };

/** Starts the workers that send alerts and letters. Each has its own queue. */
async function startSenders({ alerts, letters, logger, ...served }: Senders) {
  const alertWorker = await createAlertWorker({ ...served, activities: alerts });
  const letterWorker = await createLetterWorker({ ...served, activities: letters });
  return [
    runWorker(alertWorker, logger.child({ worker: 'alerts' })),
    runWorker(letterWorker, logger.child({ worker: 'letters' })),
  ];
}

/** Starts the workflows that exist once per namespace. */
function startWorkflows(
  settings: SettingsFor<'orchestrator'>,
  client: Client,
  { shutdown, logger }: { readonly shutdown: Shutdown; readonly logger: Logger },
): void {
  shutdown.onClose('housekeeping', ensureHousekeeping(client, logger));
  shutdown.onClose(
    'watchdog',
    ensureWatchdog(client, readWatchdog(settings)?.plan ?? null, logger),
  );
}

main().catch(endOnFailure);
