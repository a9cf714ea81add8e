/** Updates a channel if its service reported a new recipient while an alert was being sent. */
import type { AlertTarget, DeliveryOutcome } from '../contracts/alerts';
import type { Sent } from '../notify/sender';
import type { Logger } from '../platform/logger';
import {
  type NewRecipientNeeds,
  storeNewRecipient,
} from '../services/alerting/store-new-recipient';

interface Needs extends NewRecipientNeeds {
  readonly logger: Pick<Logger, 'warn'>;
}

interface SentTo {
  readonly accountId: string;
  readonly target: AlertTarget;
  /** The configuration of the channel before the alert was sent, without the values of secrets. */
  readonly before: Readonly<Record<string, unknown>>;
}

/**
 * Stores the reported recipient, and returns the outcome without the report. If storing fails, the next alert tries
 * again.
 */
export async function recordNewRecipient(
  needs: Needs,
  { moved: after, ...outcome }: Sent,
  { accountId, target: { channelId }, before }: SentTo,
): Promise<DeliveryOutcome> {
  if (after === undefined || channelId === null) return outcome;
  try {
    await storeNewRecipient(needs, { accountId, channelId, before, after });
  } catch (error) {
    needs.logger.warn({ err: error, channelId }, 'could not store the new recipient of a channel');
  }
  return outcome;
}
