/** One member. Admins can change the role or remove the member. */
import { Group, Paper, Text } from '@mantine/core';
import { useAct } from '../../../shared/actions/use-act';
import type { Member } from '../../../shared/data/api-types';
import { useCan, useSession } from '../../../shared/data/session';
import { RelativeTime } from '../../../shared/text/time';
import { CardHead } from '../../../shared/ui/card-list';
import { RemoveMember } from './remove-member';
import { RoleSelect } from './role-select';
import { ROLE_WORDS, TEXT } from './strings';

const TOUCHED = ['/v1/members', '/v1/session', '/v1/account'];

interface MemberRowProps {
  readonly member: Member;
  readonly isOnlyOwner: boolean;
}

export function MemberRow({ member, isOnlyOwner }: MemberRowProps) {
  const { id, email, role, state, createdAt } = member;
  const { user } = useSession();
  const isAdmin = useCan('admin');
  // Only owners may change owners.
  const mayChange = isAdmin && !isOnlyOwner && (role !== 'owner' || user?.role === 'owner');
  return (
    <Paper component="li" withBorder p="sm">
      <CardHead
        isStacked
        actions={
          mayChange ? (
            <Actions member={member} />
          ) : (
            <Text size="sm" fw={500}>
              {ROLE_WORDS[role]}
            </Text>
          )
        }
      >
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {email}
          {user?.id === id && (
            <Text span c="dimmed" fw={400}>
              {' '}
              (you)
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          Joined <RelativeTime at={createdAt} />
          {state === 'invited' && `, has not set a password yet`}
        </Text>
      </CardHead>
    </Paper>
  );
}

function Actions({ member }: { readonly member: Member }) {
  const { id, email, role } = member;
  const { act, isPending } = useAct(TOUCHED);
  const path = `/v1/members/${id}`;
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <RoleSelect
        label={`${TEXT.role} of ${email}`}
        value={role}
        disabled={isPending}
        onChange={(next) =>
          act({ method: 'PATCH', path, body: { role: next } }, { done: 'Role changed.' })
        }
      />
      <RemoveMember member={member} touches={TOUCHED} />
    </Group>
  );
}
