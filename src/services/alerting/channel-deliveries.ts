/**
 * Finds out from recorded alerts whether a channel delivers its alerts. Sending an alert therefore needs no additional
 * write.
 */
import type { ChannelDeliveries } from '../../models/alerting/alerts';
import type { AlertChannelResponse } from '../../schemas/responses/alerts';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';

export type ShownDeliveries = Pick<AlertChannelResponse, 'lastSentAt' | 'failing'>;

/** The deliveries of a channel that has not sent anything yet. */
export const NOTHING_SENT: ShownDeliveries = { lastSentAt: null, failing: null };

export async function readDeliveries(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  channelId: string,
): Promise<ShownDeliveries> {
  return describeDeliveries(await stores.alerts.readChannel(accountId, channelId));
}

/** Describes the deliveries. A failure counts until a later alert is delivered. Pure. */
export function describeDeliveries({ lastSentAtMs, unsent }: ChannelDeliveries): ShownDeliveries {
  const failures = unsent.flatMap(({ attempts }) => {
    const last = attempts.at(-1);
    if (last?.outcome !== 'failed' || last.atMs < (lastSentAtMs ?? 0)) return [];
    return [{ sinceMs: attempts[0]?.atMs ?? last.atMs, last }];
  });
  const [newest] = failures.toSorted((a, b) => b.last.atMs - a.last.atMs);
  return {
    lastSentAt: toInstantOrNull(lastSentAtMs),
    failing:
      newest === undefined
        ? null
        : {
            since: toInstant(Math.min(...failures.map(({ sinceMs }) => sinceMs))),
            count: failures.length,
            error: newest.last.detail,
          },
  };
}
