/** What the head of a heartbeat says: when its job reported, when it is due, and where it reports. */
import { Stack, Text } from '@mantine/core';
import type { HeartbeatMonitor } from '../../../shared/data/api-types';
import { everyWords, RelativeTime } from '../../../shared/text/time';
import { CopyField } from '../../../shared/ui/copy-field';

export function HeartbeatAbout({ monitor }: { readonly monitor: HeartbeatMonitor }) {
  const { schedule, lastPingAt, nextDueAt, running, pingUrl, group, tags } = monitor;
  const due =
    'cron' in schedule
      ? `${schedule.cron} (${schedule.timeZone})`
      : everyWords(schedule.everySeconds);
  return (
    <>
      <Text size="sm" mt={8}>
        Expects a ping {due}. Last ping{' '}
        {lastPingAt === null ? 'never' : <RelativeTime at={lastPingAt} />}
        {nextDueAt !== null && (
          <>
            , next due <RelativeTime at={nextDueAt} />
          </>
        )}
        {running.length > 0 ? ` · ${running.length} running` : ''}
      </Text>
      <Text size="sm" c="dimmed">
        {[group, ...tags].filter((word) => word !== null).join(' · ')}
      </Text>
      <Stack gap="sm" mt="sm" maw={800}>
        <CopyField label="Ping URL" value={pingUrl} />
        <CopyField
          label="In a crontab"
          value={`your-command && curl -fsS -m 10 --retry 5 ${pingUrl}`}
        />
      </Stack>
    </>
  );
}
