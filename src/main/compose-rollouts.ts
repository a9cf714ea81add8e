/** Composes the dependencies of rollouts in the orchestrator. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { createRolloutActivities } from '../activities/rollouts/rollout-activities';
import { createTargetGuard } from '../checks/target-guard';
import { requireSetting, type SettingsFor } from '../config/settings';
import type { RolloutActivities } from '../contracts/operations/rollouts';
import { RUN_VALUE_PURPOSE, STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import { createIdMaker } from '../domain/definitions/ids';
import type { Stores } from '../models/stores';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createTextSealer } from '../platform/sealing';
import { createWorkflowGateway } from '../temporal/workflow-gateway';
import { buildOutgoingOptions } from './outgoing-options';

interface Parts {
  readonly stores: Stores;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function composeRollouts(
  settings: SettingsFor<'orchestrator'>,
  { stores, client, clock, logger }: Parts,
): RolloutActivities {
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const servers = [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI];
  return createRolloutActivities({
    stores,
    clock,
    gateway: createWorkflowGateway(client),
    sealers: {
      stored: createTextSealer(secretKeys, STORED_SECRET_PURPOSE),
      runIn: () => createTextSealer(secretKeys, RUN_VALUE_PURPOSE),
    },
    newId: createIdMaker(() => clock.now(), randomBytes),
    randomBytes,
    configuredRegions: settings.KEEPWATCH_REGIONS,
    findBlockedTarget: createTargetGuard(buildOutgoingOptions(settings, servers)).adviseOnUrl,
    // The names are not checked here, because the API has already checked the names in the plan. Only the API and the
    // probes know the proxies, whose URLs contain passwords.
    proxyNames: null,
    publicUrl: settings.KEEPWATCH_PUBLIC_URL,
    workflowUrl: () => null,
    notifyOperator: (facts, sentence) => logger.warn(facts, sentence),
    sleep: (ms) => sleep(ms),
  });
}
