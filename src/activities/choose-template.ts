/**
 * Chooses the template of an alert. If several attempts with the template crashed the sender, the built-in text is
 * used.
 */
import type { AlertTemplate, DeliveryOutcome, DeliveryTry } from '../contracts/alerts';
import type { AlertChannelStore } from '../models/alerting/alert-channels';
import type { Logger } from '../platform/logger';
import { readTemplate } from '../services/alerting/alert-destinations';

/** After this many crashed attempts, the built-in text is sent. */
const LOST_WITH_TEMPLATE_MAX = 3;
/** If this many attempts crashed the sender, delivery stops. */
const LOST_TRIES_MAX = 10;

export const TOO_OFTEN_LOST: DeliveryOutcome = {
  kind: 'refused',
  detail: `The sender was lost ${LOST_TRIES_MAX} times while it sent this; it is not tried again.`,
};

export function isTooOftenLost({ lostTries = 0 }: DeliveryTry): boolean {
  return lostTries >= LOST_TRIES_MAX;
}

interface Needs {
  readonly channels: Pick<AlertChannelStore, 'find'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Returns the current template of the channel. If the database is unavailable, returns the template that was stored
 * with the delivery. null means the built-in text.
 */
export async function chooseTemplate(
  { channels, logger }: Needs,
  { alert: { accountId }, target: { channelId, template }, lostTries = 0 }: DeliveryTry,
): Promise<AlertTemplate | null> {
  if (template === undefined || channelId === null) return null;
  if (lostTries >= LOST_WITH_TEMPLATE_MAX) return null;
  try {
    const channel = await channels.find(accountId, channelId);
    return channel === null ? null : readTemplate(channel.config);
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent with the template that was stored with it');
    return template;
  }
}
