/** Facts about a heartbeat in the header of its page. */
import { Stack } from '@mantine/core';
import type { HeartbeatMonitor } from '../../../shared/data/api-types';
import { ExpectedPing } from '../../../shared/results/expected-ping';
import { CopyField } from '../../../shared/ui/copy-field';
import { Labels } from './labels';

export function HeartbeatAbout({ monitor }: { readonly monitor: HeartbeatMonitor }) {
  const { pingUrl } = monitor;
  return (
    <>
      <ExpectedPing monitor={monitor}>
        <Labels of={monitor} />
      </ExpectedPing>
      <Stack gap="sm" mt="sm" maw={800}>
        <CopyField label="Ping URL" value={pingUrl} />
        <CopyField
          label="In a crontab"
          value={`your-command; curl -fsS -m 10 --retry 5 ${pingUrl}/$?`}
        />
      </Stack>
    </>
  );
}
