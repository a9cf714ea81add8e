/** Composes the activities of the orchestrator's workers: recording, housekeeping, and sending alerts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createDependencyActivities } from '../activities/dependency-activities';
import { createHandOverActivities } from '../activities/hand-over-activities';
import { createHeartbeatActivities } from '../activities/heartbeat-activities';
import { createRecordActivities } from '../activities/record-activities';
import { createWatchdogActivities, senderCanary } from '../activities/watchdog-activities';
import type { SettingsFor } from '../config/settings';
import { readWatchdog } from '../config/watchdog-rows';
import type { AlertActivities } from '../contracts/alerts';
import type { LetterActivities } from '../contracts/letters/letters';
import type { CanaryActivities, WatchdogActivities } from '../contracts/operations/watchdog';
import { createRecordWrites, createStores, type Database } from '../models';
import type { Stores } from '../models/stores';
import { createCircuit } from '../platform/circuit';
import type { Clock } from '../platform/clock';
import { isUnavailable } from '../platform/errors';
import type { Logger } from '../platform/logger';
import { createCheckRecorder } from '../services/results/record-check';
import { reportHealth } from '../temporal/calls/health-calls';
import type { OrchestratorActivities } from '../temporal/orchestrator-worker';
import { createWorkflowGateway } from '../temporal/workflow-gateway';
import { createTextPool } from '../text/text-pool';
import { composeAlerts, composeEscalations } from './compose-alerts';
import { composeHousekeeping } from './compose-housekeeping';
import { composeLetters } from './compose-letters';
import { composeRollouts } from './compose-rollouts';
import { createWatchdogSender } from './watchdog-sender';

interface Parts {
  readonly database: Database;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Composed {
  readonly activities: OrchestratorActivities;
  /** The activities that send alerts. A separate worker runs them. */
  readonly alerts: AlertActivities & CanaryActivities;
  readonly letters: LetterActivities;
}

export function composeActivities(
  settings: SettingsFor<'orchestrator'>,
  { database, client, clock, logger }: Parts,
): Composed {
  const stores = createStores(database, clock);
  const recorder = createCheckRecorder(createRecordWrites(database, clock));
  // Protects the stores of checks and messages: an unavailable database must not block checks and messages.
  const { protect } = createCircuit({ isAway: isUnavailable, nowMs: () => performance.now() });
  const prompt = promptStores(stores, protect);
  const { run: runTextJob } = createTextPool();
  const { findRecipients, admitAlert, admitOrFold, ...alerts } = composeAlerts(settings, {
    stores: prompt,
    client,
    clock,
    logger,
    runTextJob,
  });
  const escalations = composeEscalations(settings, { stores: prompt, logger });
  const internalApi = createRecordActivities({
    recorder: protect(recorder),
    stores: prompt,
    refusedRecords: stores.refusedRecords,
    clock,
    logger,
    mayBeWatched: settings.KEEPWATCH_STEADY === 'watch',
  });
  const parts = { stores, client, clock, logger };
  const housekeeping = composeHousekeeping(settings, { ...parts, database, recorder });
  return {
    activities: {
      ...internalApi,
      ...createHeartbeatActivities(prompt),
      ...housekeeping,
      ...createDependencyActivities({
        reportHealth: (id, question) => reportHealth(client, id, question),
        clock,
      }),
      ...createHandOverActivities({
        stores,
        gateway: createWorkflowGateway(client),
        clock,
        logger,
        wait: (ms, signal) => sleep(ms, undefined, { signal }),
      }),
      ...escalations,
      ...composeRollouts(settings, parts),
      ...composeWatchdog(settings, parts),
      findRecipients,
      admitAlert,
      admitOrFold,
    },
    alerts: { ...alerts, ...senderCanary },
    letters: composeLetters(settings, { stores, clock, runTextJob }),
  };
}

function composeWatchdog(
  settings: SettingsFor<'orchestrator'>,
  { stores, clock, logger }: Pick<Parts, 'clock' | 'logger'> & { readonly stores: Stores },
): WatchdogActivities {
  const watchdog = readWatchdog(settings);
  const servers = [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI];
  return createWatchdogActivities({
    watchdog: stores.watchdog,
    send: watchdog && createWatchdogSender(watchdog, { settings, servers, stores, clock }),
    clock,
    logger,
  });
}

type Protect = <Store extends object>(store: Store) => Store;

/**
 * Wraps the stores that checks and messages depend on. Their calls fail immediately while the database is unavailable.
 */
function promptStores(stores: Stores, protect: Protect): Stores {
  return {
    ...stores,
    monitors: protect(stores.monitors),
    scenarios: protect(stores.scenarios),
    results: protect(stores.results),
    alertChannels: protect(stores.alertChannels),
    alertPolicies: protect(stores.alertPolicies),
    alertRoutes: protect(stores.alertRoutes),
    escalations: protect(stores.escalations),
    incidents: protect(stores.incidents),
    statuses: protect(stores.statuses),
    users: protect(stores.users),
    alerts: protect(stores.alerts),
    alertBursts: protect(stores.alertBursts),
    pings: protect(stores.pings),
    serviceUptime: protect(stores.serviceUptime),
  };
}
