/** Updates a channel if its service reported a new recipient while an alert was being sent. */
import type { AlertTarget, DeliveryOutcome } from '../contracts/alerts';
import type { Sent } from '../notify/sender';
import type { Logger } from '../platform/logger';
import { keepMove, type MoveNeeds } from '../services/alerting/keep-move';

interface Needs extends MoveNeeds {
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
export async function noteMove(
  needs: Needs,
  { moved: after, ...outcome }: Sent,
  { accountId, target: { channelId }, before }: SentTo,
): Promise<DeliveryOutcome> {
  if (after === undefined || channelId === null) return outcome;
  try {
    await keepMove(needs, { accountId, channelId, before, after });
  } catch (error) {
    needs.logger.warn({ err: error, channelId }, 'could not store the new recipient of a channel');
  }
  return outcome;
}
