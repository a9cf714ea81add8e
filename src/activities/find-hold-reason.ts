/**
 * Decides from delivery records whether a recipient of an escalation gets a recovery alert. Recipients get one only if
 * they were notified of the failure.
 */
import type { AlertMessage, AlertTarget, DeliveryOutcome } from '../contracts/alerts';
import type { Alert, AlertStore } from '../models/alerting/alerts';
import type { Logger } from '../platform/logger';

interface Needs {
  readonly alerts: Pick<AlertStore, 'page'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export const MOOT_DETAIL = 'The incident was acknowledged or snoozed, or is over.';
/** Options of a query for the newest deliveries of one incident. The caller adds `incidentId`. */
export const INCIDENT_ALERTS = {
  limit: 200,
  beforeId: null,
  status: null,
  resourceId: null,
} as const;

/**
 * Returns the reason why a recovery alert must not be sent now. null means that the alert is sent, also if the records
 * cannot be read.
 */
export async function findHoldReason(
  { alerts, logger }: Needs,
  { kind, accountId, incidentId, escalation }: AlertMessage,
  { channelId, masked }: AlertTarget,
): Promise<DeliveryOutcome | null> {
  if (kind !== 'recovery' || incidentId === null || escalation === undefined) return null;
  try {
    const { items } = await alerts.page(accountId, { ...INCIDENT_ALERTS, incidentId });
    const own = items.filter(
      (sent) =>
        sent.kind !== 'recovery' && sent.channelId === channelId && sent.recipient === masked,
    );
    if (own.length === 0 || own.some(isNotified)) return null;
    const isOpen = own.some(({ status }) => status === 'pending');
    return isOpen
      ? { kind: 'later', detail: 'Waits for the alert of the failure.', afterMs: null }
      : { kind: 'moot', detail: 'No alert of the failure was sent here.' };
  } catch (error) {
    logger.warn(
      { err: error },
      'a recovery is sent without checking who was notified of the failure',
    );
    return null;
  }
}

/**
 * True if the delivery was sent, failed, or went into a digest. False if it is still pending, or if it was dropped
 * because the incident was acknowledged, snoozed or over.
 */
function isNotified({ status, attempts }: Alert): boolean {
  return (
    status !== 'pending' && !(status === 'suppressed' && attempts.at(-1)?.detail === MOOT_DETAIL)
  );
}
