/** Where the person is signed in, and how to end it from here. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useAct } from '../../shared/actions/use-act';
import type { BrowserSession, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { RelativeTime } from '../../shared/text/time';

const PATH = '/v1/sessions';

export function SessionList() {
  const { data: page, error } = useRead<Page<BrowserSession>>(PATH);
  return (
    <Stack gap="xs" maw={420}>
      <Title order={2} size="h4">
        Signed in
      </Title>
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
    <Group justify="space-between">
      <Text size="sm">
        Signed in <RelativeTime at={session.createdAt} />, last seen{' '}
        <RelativeTime at={session.lastSeenAt} />
      </Text>
      {session.isCurrent ? (
        <Badge variant="light" tt="none">
          This one
        </Badge>
      ) : (
        <Button variant="default" size="xs" loading={isPending} onClick={end}>
          End
        </Button>
      )}
    </Group>
  );
}
