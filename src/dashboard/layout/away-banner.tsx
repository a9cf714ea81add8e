/** Shown while the service cannot be reached: says how old the data is, and offers to retry. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useAway } from '../shared/data/away';
import { TEXT } from '../shared/text/strings';
import { ABSOLUTE } from '../shared/text/time-text';

export function AwayBanner() {
  const away = useAway();
  const client = useQueryClient();
  if (away === null) return null;
  const { lastReadAtMs } = away;
  return (
    <Alert
      role="alert"
      variant="default"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden color="var(--kw-down)" />}
      title={TEXT.notReached}
    >
      <Group gap="sm">
        <Text size="sm">
          {lastReadAtMs === null
            ? 'Check your connection. Trying again.'
            : `Showing data from ${ABSOLUTE.format(lastReadAtMs)}. Trying again.`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void client.refetchQueries()}>
          {TEXT.retry}
        </Button>
      </Group>
    </Alert>
  );
}
