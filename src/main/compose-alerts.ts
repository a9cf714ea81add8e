/** What the sender of alerts is given: channels and records, mail and POST, and the secrets of accounts. */
import type { Client } from '@temporalio/client';
import { createAlertActivities } from '../activities/alert-activities';
import { createEscalationActivities } from '../activities/escalation-activities';
import { createPost } from '../checks/post';
import { required, type SettingsOf } from '../config/settings';
import type { AlertActivities, AlertPreparation } from '../contracts/alerts';
import type { EscalationActivities } from '../contracts/escalation';
import { STORED_SECRET_PURPOSE } from '../contracts/seal-contexts';
import type { Stores } from '../models/stores';
import { createMailSender } from '../notify/email';
import { createSender } from '../notify/sender';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createTextSealer } from '../platform/sealing';
import { userAgent } from '../platform/version';
import { readSecrets } from '../services/secrets/read-secrets';
import { foldAlert } from '../temporal/alert-calls';
import { createTextPool } from '../text/text-pool';
import { mailServer, outgoingOptions } from './outgoing-options';

interface Parts {
  readonly stores: Stores;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function composeAlerts(
  settings: SettingsOf<'orchestrator'>,
  { stores, client, clock, logger }: Parts,
): AlertActivities & AlertPreparation {
  const { KEEPWATCH_PUBLIC_URL: publicUrl } = settings;
  const secretKeys = required(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const post = createPost(
    outgoingOptions(settings, [settings.TEMPORAL_ADDRESS, settings.MONGODB_URI]),
    userAgent(),
  );
  const stored = createTextSealer(secretKeys, STORED_SECRET_PURPOSE);
  const mail = {
    server: mailServer(settings),
    from: settings.MAIL_FROM,
    publicUrl,
    sealer: stored,
    logger,
  };
  return createAlertActivities({
    channels: stores.alertChannels,
    alerts: stores.alerts,
    bursts: stores.alertBursts,
    incidents: stores.incidents,
    wholeIncidents: stores.wholeIncidents,
    dependencies: stores.dependencies,
    sealer: stored,
    send: createSender({
      post,
      mail: createMailSender(mail),
      publicUrl,
      clock,
      runTexts: createTextPool().run,
    }),
    readSecrets: (accountId, names) =>
      readSecrets({ stores, sealers: { stored } }, accountId, names),
    fold: (folded) => foldAlert(client, folded),
    clock,
    logger,
  });
}

/** What escalations ask of the database. */
export function composeEscalations(
  settings: SettingsOf<'orchestrator'>,
  { stores, logger }: Omit<Parts, 'client' | 'clock'>,
): EscalationActivities {
  const secretKeys = required(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const sealer = createTextSealer(secretKeys, STORED_SECRET_PURPOSE);
  return createEscalationActivities({ stores, sealer, logger });
}
