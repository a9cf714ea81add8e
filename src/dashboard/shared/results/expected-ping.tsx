/** When a heartbeat expects its job to report, when it did last, and when the next ping is due. */
import { Text } from '@mantine/core';
import type { HeartbeatMonitor } from '../data/api-types';
import { everyWords, lengthOf, RelativeTime } from '../text/time';

export function ExpectedPing({ monitor }: { readonly monitor: HeartbeatMonitor }) {
  const { schedule, graceSeconds, lastPingAt, nextDueAt, running } = monitor;
  const due =
    'cron' in schedule
      ? `on the cron schedule ${schedule.cron} (${schedule.timeZone})`
      : everyWords(schedule.everySeconds);
  return (
    <Text size="sm" mt={8}>
      Expects a ping {due}, {lengthOf(graceSeconds)} grace.{' '}
      {lastPingAt === null ? (
        'No ping yet'
      ) : (
        <>
          Last ping <RelativeTime at={lastPingAt} />
        </>
      )}
      {nextDueAt !== null && (
        <>
          , next due <RelativeTime at={nextDueAt} />
        </>
      )}
      {running.length > 0 ? ` · ${running.length} running` : ''}
    </Text>
  );
}
