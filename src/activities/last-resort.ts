/** Adds the last-resort channel of an alert policy to the recipients of one alert. */
import type { AlertTarget } from '../contracts/alerts';
import type { AlertChannel } from '../models/alerting/alert-channels';
import { FALLBACK_AFTER_MINUTES } from '../schemas/alerts';
import { listChannelTargets } from '../services/alerting/alert-destinations';

/**
 * Adds the last-resort channel as a standby recipient, and makes it the fallback of every recipient that has no
 * fallback. Returns the recipients unchanged if there is no such channel.
 */
export function withLastResort(
  targets: readonly AlertTarget[],
  channelId: string | null,
  known: readonly AlertChannel[],
): readonly AlertTarget[] {
  const isThere = known.some(({ id }) => id === channelId);
  if (channelId === null || !isThere) return targets;
  const standby = targets.some((target) => target.channelId === channelId)
    ? []
    : listChannelTargets([channelId], known).map((target) => ({ ...target, isStandby: true }));
  const fallback = { channelId, afterMinutes: FALLBACK_AFTER_MINUTES };
  const withFallback = targets.map((target) =>
    target.fallback === undefined && target.channelId !== channelId
      ? { ...target, fallback }
      : target,
  );
  const added = standby.filter(({ key }) => !targets.some((target) => target.key === key));
  return [...withFallback, ...added];
}
