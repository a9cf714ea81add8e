/** Shows when a heartbeat expects its job to report, when the job last reported, and when the next ping is due. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { HeartbeatMonitor } from '../data/api-types';
import { everyWords, formatDuration, RelativeTime } from '../text/time';
import { lengthSince } from '../text/time-text';
import { useNowMs } from '../text/use-now';

interface ExpectedPingProps {
  readonly monitor: HeartbeatMonitor;
  /** Further text in the same line. */
  readonly children?: ReactNode;
}

export function ExpectedPing({ monitor, children }: ExpectedPingProps) {
  const { schedule, graceSeconds, lastPingAt, nextDueAt, running } = monitor;
  const due =
    'cron' in schedule
      ? `Cron schedule ${schedule.cron} (${schedule.timeZone})`
      : everyWords(schedule.everySeconds).replace('every', 'Every');
  return (
    <Text size="sm" mt={8}>
      {due}, {formatDuration(graceSeconds)} grace ·{' '}
      {lastPingAt === null ? (
        'no ping yet'
      ) : (
        <>
          last ping <RelativeTime at={lastPingAt} />
        </>
      )}
      {nextDueAt !== null && <NextDue at={nextDueAt} />}
      {running.length > 0 ? ` · ${running.length} running` : ''}
      {children}
    </Text>
  );
}

function NextDue({ at }: { readonly at: string }) {
  const nowMs = useNowMs();
  if (Date.parse(at) < nowMs) return <> · overdue by {lengthSince(at, nowMs)}</>;
  return (
    <>
      {' '}
      · next due <RelativeTime at={at} />
    </>
  );
}
