/** Invitations that nobody has accepted yet. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Invitation, Page } from '../../../shared/api-types';
import { confirm } from '../../../shared/confirm';
import { tell, tellProblem } from '../../../shared/notify';
import { ProblemNote } from '../../../shared/problem-note';
import { useChange, useRead } from '../../../shared/queries';
import { RelativeTime } from '../../../shared/time';
import { ROLE_WORDS, TEXT } from './strings';

/** More open invitations than members that a plan allows can not be. */
const LIST = '/v1/invitations?limit=500';

export function Invitations() {
  const { data, error } = useRead<Page<Invitation>>(LIST);
  return (
    <section>
      <Title order={2} size="h4" mt="xl" mb="xs">
        {TEXT.invitations}
      </Title>
      {error !== null && <ProblemNote problem={error} />}
      {data?.data.length === 0 && <Text c="dimmed">{TEXT.noInvitations}</Text>}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {data?.data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { id, email, role, createdAt, expiresAt } = invitation;
  const { mutate, isPending } = useChange(['/v1/invitations', '/v1/account']);
  const ask = (): void =>
    confirm({
      title: `Withdraw the invitation of ${email}?`,
      text: 'Its link does not work any more.',
      action: TEXT.withdraw,
      onConfirm: () =>
        mutate(
          { method: 'DELETE', path: `/v1/invitations/${id}` },
          { onSuccess: () => tell(TEXT.withdrawn), onError: tellProblem },
        ),
    });
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="sm" c="dimmed">
            {ROLE_WORDS[role]}, invited <RelativeTime at={createdAt} />, ends{' '}
            <RelativeTime at={expiresAt} />
          </Text>
        </div>
        <Button
          variant="default"
          loading={isPending}
          onClick={ask}
          aria-label={`${TEXT.withdraw} the invitation of ${email}`}
        >
          {TEXT.withdraw}
        </Button>
      </Group>
    </Paper>
  );
}
