/**
 * Shows how a job reports to its heartbeat. Open until the first ping, because the page has no other content until
 * then.
 */
import { Paper, Stack, Text } from '@mantine/core';
import type { HeartbeatMonitor } from '../../../shared/data/api-types';
import { CopyField } from '../../../shared/ui/copy-field';
import { Heading } from '../../../shared/ui/heading';
import classes from './monitor-head.module.css';

export function HowToPing({
  monitor: { pingUrl, lastPingAt },
}: {
  readonly monitor: HeartbeatMonitor;
}) {
  const fields = (
    <Stack gap="sm" maw={800}>
      <CopyField label="Ping URL" value={pingUrl} />
      <CopyField
        label="In a crontab"
        value={`your-command; curl -fsS -m 10 --retry 5 ${pingUrl}/$?`}
      />
    </Stack>
  );
  if (lastPingAt === null)
    return (
      <Paper component="section" withBorder p="md" mb="md" aria-labelledby="first-ping">
        <Heading mb={4} id="first-ping">
          Send the first ping
        </Heading>
        <Text size="sm" c="dimmed" mb="sm">
          The job sends a request to this URL each time it ends. The heartbeat waits until then.
        </Text>
        {fields}
      </Paper>
    );
  return (
    <details className={classes['how']}>
      <summary>How to ping</summary>
      {fields}
    </details>
  );
}
