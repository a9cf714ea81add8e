/** Finds the recipients of an alert, from the current channels. */
import type { AlertInput, AlertMessage, AlertTarget } from '../../contracts/alerts';
import { listDirectTargets } from '../../domain/alerting/fallback-targets';
import type { AlertChannel, AlertChannelStore } from '../../models/alerting/alert-channels';
import type { AlertStore } from '../../models/alerting/alerts';
import { email } from '../../notify/channels/email';
import type { Logger } from '../../platform/logger';
import {
  channelKey,
  listChannelTargets,
  readChannels,
} from '../../services/alerting/alert-destinations';
import { INCIDENT_ALERTS } from '../find-hold-reason';
import { withLastResort } from '../last-resort';

interface RecipientNeeds {
  readonly alerts: Pick<AlertStore, 'page'>;
  readonly channels: Pick<AlertChannelStore, 'list'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export async function findTargets(
  needs: RecipientNeeds,
  input: AlertInput,
): Promise<readonly AlertTarget[]> {
  const { alert } = input;
  const { targets, channels } = await currentTargets(needs, input);
  if (alert.kind === 'event') return listDirectTargets(targets).map(withoutFallback);
  const wanted = targets.filter((target) => isWanted(target, alert));
  return withThoseWhoKnow(needs, alert, withoutRepeated(wanted, channels));
}

/** Leaves out each address that the rule names itself if one of the channels sends the alert to it, too. */
function withoutRepeated(
  targets: readonly AlertTarget[],
  channels: readonly AlertChannel[],
): readonly AlertTarget[] {
  const direct = new Set(listDirectTargets(targets).map(({ key }) => key));
  const reached = channels
    .filter(({ type }) => type === email.type)
    .flatMap(({ id, places }) => places.filter((_, index) => direct.has(channelKey(id, index))))
    .map(({ shown }) => shown.toLowerCase());
  return targets.filter(
    ({ channelId, key }) => channelId !== null || !reached.includes(key.toLowerCase()),
  );
}

/**
 * Removes the fallback of a recipient of events, because the fallback channel may be of a type that cannot send events.
 */
function withoutFallback({ fallback: _fallback, ...target }: AlertTarget): AlertTarget {
  return target;
}

/**
 * True if the recipient wants this kind of alert. Digests contain only wanted alerts, and tests are requested by a
 * person, so both are always wanted.
 */
function isWanted({ onlyKinds }: AlertTarget, { kind }: AlertMessage): boolean {
  if (onlyKinds === undefined || kind === 'digest' || kind === 'test') return true;
  return onlyKinds.includes(kind);
}

/**
 * Makes standby recipients direct recipients if they were notified of the failure, so that they get the recovery at
 * once.
 */
async function withThoseWhoKnow(
  { alerts, logger }: RecipientNeeds,
  { kind, accountId, incidentId }: AlertMessage,
  targets: readonly AlertTarget[],
): Promise<readonly AlertTarget[]> {
  const hasStandby = targets.some(({ isStandby }) => isStandby === true);
  if (kind !== 'recovery' || incidentId === null || !hasStandby) return targets;
  try {
    const { items } = await alerts.page(accountId, { ...INCIDENT_ALERTS, incidentId });
    const sent = items.filter(({ status }) => status === 'sent').map(({ channelId }) => channelId);
    return targets.map((target) =>
      sent.includes(target.channelId) ? { ...target, isStandby: false } : target,
    );
  } catch (error) {
    logger.warn(
      { err: error },
      'a recovery is sent without checking who was notified of the failure',
    );
    return targets;
  }
}

interface Current {
  readonly targets: readonly AlertTarget[];
  /** All channels of the account. Empty if they were not read. */
  readonly channels: readonly AlertChannel[];
}

/**
 * Returns the recipients from the current channels. If the database is unavailable, returns the recipients that were
 * stored when the alert rule was saved. An event has no rule, so for an event the function throws instead.
 */
async function currentTargets(
  { channels: store, logger }: RecipientNeeds,
  { alert, recipients }: AlertInput,
): Promise<Current> {
  const saved = { targets: recipients.targets, channels: [] };
  const isPlain = (alert.escalation?.lastResort ?? null) === null;
  if (recipients.channels.length === 0 && isPlain) return saved;
  const own = recipients.targets.filter(({ channelId }) => channelId === null);
  try {
    const channels = await readChannels(store, alert.accountId);
    const targets = [...listChannelTargets(recipients.channels, channels), ...own];
    const lastResort = alert.escalation?.lastResort ?? null;
    return { targets: withLastResort(targets, lastResort, channels), channels };
  } catch (error) {
    if (alert.kind === 'event') throw error;
    logger.warn({ err: error }, 'an alert is sent to the recipients that were stored with it');
    return saved;
  }
}
