/** The user's sessions, with a button to end each one except the current one. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useAct } from '../../shared/actions/use-act';
import type { BrowserSession, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { RelativeTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { SmallButton } from '../../shared/ui/small-button';

const PATH = '/v1/sessions';

export function SessionList() {
  const { data: page, error } = useRead<Page<BrowserSession>>(PATH);
  return (
    <Stack gap="xs" maw={420}>
      <Heading>Signed in</Heading>
      <Unread of={{ data: page, error }} />
      {page?.data.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </Stack>
  );
}

function SessionRow({ session }: { readonly session: BrowserSession }) {
  const { act, isPending } = useAct([PATH]);
  const end = (): void => act({ method: 'DELETE', path: `${PATH}/${session.id}` }, {});
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm">
        Signed in <RelativeTime at={session.createdAt} />, last seen{' '}
        <RelativeTime at={session.lastSeenAt} />
      </Text>
      {session.isCurrent ? (
        <Badge variant="light" tt="none" flex="none">
          This session
        </Badge>
      ) : (
        <SmallButton flex="none" loading={isPending} onClick={end}>
          Sign out
        </SmallButton>
      )}
    </Group>
  );
}
