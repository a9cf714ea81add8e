/** The orchestrator: runs the workflows and writes what they decide to the database. */
import { createHubActivities } from '../activities/hub-activities';
import { readSettings, required } from '../config/settings';
import { createSettleStore, createStores, isUnavailable } from '../models';
import { createCircuit } from '../platform/circuit';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger } from '../platform/logger';
import { createShutdown } from '../platform/shutdown';
import { endOnFailure, retryUntilUp } from '../platform/start-role';
import { createAlertWorker } from '../temporal/alert-worker';
import { connectWorker, createTemporalClient } from '../temporal/connect';
import { createDataConverter } from '../temporal/data-converter';
import { installRuntime } from '../temporal/install-runtime';
import { keepHousekeeping } from '../temporal/keep-housekeeping';
import { createOrchestratorWorker } from '../temporal/orchestrator-worker';
import { runWorker } from '../temporal/run-worker';
import { composeAlerts } from './compose-alerts';
import { composeHousekeeping } from './compose-housekeeping';
import { openDatabase } from './open-database';

async function main(): Promise<void> {
  const settings = readSettings('orchestrator');
  const logger = createLogger('orchestrator', settings.LOG_LEVEL);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  exitWithParent();
  installRuntime(logger);

  const uri = required(settings.MONGODB_URI, 'MONGODB_URI');
  const open = () => openDatabase(uri, logger);
  const database = await retryUntilUp({ what: 'the database', logger }, open);
  shutdown.onClose('database', database.close);

  const address = required(settings.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS');
  const namespace = settings.TEMPORAL_NAMESPACE;
  const connection = await connectWorker({ address, namespace }, logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const secretKeys = required(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const client = createTemporalClient({ address, namespace }, secretKeys);
  shutdown.onClose('Temporal client', () => client.connection.close());

  const stores = createStores(database);
  const settle = createSettleStore(database);
  // What checks and messages wait for: a database that hangs must not make them wait, too.
  const { protect } = createCircuit({ isAway: isUnavailable, nowMs: () => performance.now() });
  const prompt = {
    ...stores,
    monitors: protect(stores.monitors),
    scenarios: protect(stores.scenarios),
    alertChannels: protect(stores.alertChannels),
    alerts: protect(stores.alerts),
    alertBursts: protect(stores.alertBursts),
  };
  const { findTargets, admitAlert, ...alerts } = composeAlerts(settings, {
    stores: prompt,
    client,
    logger,
  });
  const activities = {
    ...createHubActivities({ settle: protect(settle), stores: prompt }),
    findTargets,
    admitAlert,
    ...composeHousekeeping(settings, { database, stores, settle, client, logger }),
  };
  const dataConverter = createDataConverter(secretKeys, namespace);
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createOrchestratorWorker({ connection, namespace, activities, dataConverter }),
  );
  const running = runWorker(worker, logger);
  shutdown.onClose('worker', running.stop);
  const alertWorker = await createAlertWorker({
    connection,
    namespace,
    activities: alerts,
    dataConverter,
  });
  const sending = runWorker(alertWorker, logger.child({ worker: 'alerts' }));
  shutdown.onClose('alert worker', sending.stop);
  shutdown.onClose('housekeeping', keepHousekeeping(client, logger));
  await Promise.all([running.ended, sending.ended]);
}

main().catch(endOnFailure);
