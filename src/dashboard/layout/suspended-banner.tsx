/** The banner on every page of a suspended account: the operator's reason, and what still works. */
import { Alert, Text } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import type { Session } from '../shared/data/api-types';
import { SESSION, useRead } from '../shared/data/queries';
import { useSession } from '../shared/data/session';
import { ABSOLUTE } from '../shared/text/time-text';

/** How often the state is read again. Polling is needed, because no event reports that a suspension has ended. */
const READ_AGAIN = { refetchInterval: 60_000 };

export function SuspendedBanner() {
  const { suspended } = useSession().account;
  return suspended === null ? null : <Suspended {...suspended} />;
}

function Suspended({ reason, since }: NonNullable<Session['account']['suspended']>) {
  useRead<Session>(SESSION, READ_AGAIN);
  return (
    <Alert
      role="status"
      variant="default"
      mb="md"
      icon={<IconPlayerPause aria-hidden color="var(--kw-degraded)" />}
      title={`This account has been suspended since ${ABSOLUTE.format(Date.parse(since))}`}
    >
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
      <Text size="sm">
        Nothing is checked, and nothing can be changed. You can read and export everything. Pings of
        heartbeats are stored, and public status pages stay. Ask the operator of this installation.
      </Text>
    </Alert>
  );
}
