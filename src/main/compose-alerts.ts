/** Composes the dependencies of the alert sender: channels and records, mail and POST, and the secrets of accounts. */
import type { Client } from '@temporalio/client';
import { createAdmissionActivities, createAlertActivities } from '../activities/alert-activities';
import { createFoldBatches } from '../activities/alerting/fold-batches';
import { createEscalationActivities } from '../activities/escalation-activities';
import { createPost } from '../checks/post';
import { requireSetting, type SettingsFor } from '../config/settings';
import type { AlertActivities, AlertPreparation } from '../contracts/alerts';
import type { AlertAdmission } from '../contracts/digests';
import type { EscalationActivities } from '../contracts/escalation';
import { STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import type { Stores } from '../models/stores';
import { createMailSender } from '../notify/email';
import { createSender } from '../notify/sender';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createTextSealer } from '../platform/sealing';
import { buildUserAgent } from '../platform/version';
import { findPolicy } from '../services/alerting/find-policy';
import { readSecrets } from '../services/secrets/read-secrets';
import { foldAlerts, isEscalating } from '../temporal/calls/alert-calls';
import type { RunTextJob } from '../text/text-task';
import { buildMailServer, buildOutgoingOptions } from './outgoing-options';

interface Parts {
  readonly stores: Stores;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function composeAlerts(
  settings: SettingsFor<'orchestrator'>,
  { stores, client, clock, logger, runTextJob }: Parts & { readonly runTextJob: RunTextJob },
): AlertActivities & AlertPreparation & AlertAdmission {
  const { KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const post = createPost(
    buildOutgoingOptions(settings, [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI]),
    buildUserAgent(),
  );
  const stored = createTextSealer(secretKeys, STORED_SECRET_PURPOSE);
  const mail = {
    server: buildMailServer(settings),
    from: settings.MAIL_FROM,
    publicUrl,
    logger,
  };
  const needs = {
    channels: stores.alertChannels,
    alerts: stores.alerts,
    bursts: stores.alertBursts,
    incidents: stores.incidents,
    wholeIncidents: stores.wholeIncidents,
    dependencies: stores.dependencies,
    fold: createFoldBatches((folded) => foldAlerts(client, folded)),
    clock,
    logger,
  };
  return {
    ...createAlertActivities({
      ...needs,
      accounts: stores.accounts,
      resources: stores,
      results: stores.results,
      evidence: stores.evidence,
      sealer: stored,
      send: createSender({
        post,
        mail: createMailSender(mail),
        publicUrl,
        clock,
        runTextJob,
        sealer: stored,
      }),
      readSecrets: (accountId, names) =>
        readSecrets({ stores, sealers: { stored } }, accountId, names),
    }),
    ...createAdmissionActivities({
      ...needs,
      findPolicy: (alert) => findPolicy({ stores, sealer: stored }, alert),
      isEscalating: (incidentId) => isEscalating(client, incidentId),
    }),
  };
}

/** The activities through which escalations use the database. */
export function composeEscalations(
  settings: SettingsFor<'orchestrator'>,
  { stores, logger }: Omit<Parts, 'client' | 'clock'>,
): EscalationActivities {
  const secretKeys = requireSetting(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const sealer = createTextSealer(secretKeys, STORED_SECRET_PURPOSE);
  return createEscalationActivities({ stores, sealer, logger });
}
