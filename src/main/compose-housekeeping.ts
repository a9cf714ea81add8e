/** Composes the dependencies of the orchestrator's housekeeping: reads over all accounts, and Temporal. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createHousekeepingActivities } from '../activities/housekeeping-activities';
import { createPost } from '../checks/post';
import { requireSetting, type SettingsFor } from '../config/settings';
import type { HousekeepingActivities } from '../contracts/housekeeping';
import { STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import { createIdMaker } from '../domain/definitions/ids';
import {
  createAccountRemovals,
  createHousekeeping,
  createReconcileSource,
  type Database,
} from '../models';
import type { Stores } from '../models/stores';
import { createSystemMailer } from '../notify/system-mail';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createTextSealer } from '../platform/sealing';
import { buildUserAgent } from '../platform/version';
import type { OperationNeeds } from '../services/operations/watch-operation';
import type { CheckRecorder } from '../services/results/record-check';
import { startNotice } from '../temporal/calls/notice-calls';
import { createReconcileGateway } from '../temporal/reconcile-gateway';
import { createWorkflowGateway } from '../temporal/workflow-gateway';
import { buildMailServer, buildOutgoingOptions } from './outgoing-options';

/** Timeout of a request to the domain of a status page. Each domain gets two requests. */
const DOMAIN_TIMEOUT_MS = 5_000;
const NONCE_BYTES = 16;

interface Parts {
  readonly database: Database;
  readonly stores: Stores;
  readonly recorder: CheckRecorder;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function composeHousekeeping(
  settings: SettingsFor<'orchestrator'>,
  { database, stores, recorder, client, clock, logger }: Parts,
): HousekeepingActivities {
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const sealer = createTextSealer(secretKeys, STORED_SECRET_PURPOSE);
  return createHousekeepingActivities({
    stores,
    recorder,
    clock,
    logger,
    gateway: createWorkflowGateway(client),
    sendNotice: (notice) => startNotice(client, notice),
    temporal: createReconcileGateway(client),
    source: createReconcileSource(database),
    sleep: (ms) => sleep(ms),
    newId: createIdMaker(() => clock.now(), randomBytes),
    accountRemovals: createAccountRemovals(database, clock),
    chores: createHousekeeping(database, clock, sealer),
    configuredRegions: settings.KEEPWATCH_REGIONS,
    notifyOperator: (facts, sentence) => logger.warn(facts, sentence),
    operatorMail: readOperatorMail(settings),
    sealer,
    newNonce: () => randomBytes(NONCE_BYTES).toString('base64url'),
    ask: createPost(
      buildOutgoingOptions(settings, [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI]),
      buildUserAgent(),
      DOMAIN_TIMEOUT_MS,
    ),
    retentionDays: settings.KEEPWATCH_RESULT_RETENTION_DAYS,
  });
}

function readOperatorMail(settings: SettingsFor<'orchestrator'>): OperationNeeds['operatorMail'] {
  const { KEEPWATCH_OPERATOR_EMAIL: to, MAIL_FROM: from } = settings;
  const server = buildMailServer(settings);
  if (server === null || to.length === 0) return null;
  return { to: to.join(', '), mailer: createSystemMailer(server, from) };
}
