/** One member. Admins can change the role or remove the member. */
import { Text } from '@mantine/core';
import { useAct } from '../../../shared/actions/use-act';
import type { Member } from '../../../shared/data/api-types';
import { useCan, useSession } from '../../../shared/data/session';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { RemoveMember } from './remove-member';
import { RoleSelect } from './role-select';
import { ROLE_WORDS, TEXT } from './strings';

const TOUCHED = ['/v1/members', '/v1/session', '/v1/account'];

interface MemberRowProps {
  readonly member: Member;
  readonly isOnlyOwner: boolean;
}

export function MemberRow({ member, isOnlyOwner }: MemberRowProps) {
  const { id, email, role, createdAt } = member;
  const { user } = useSession();
  const isAdmin = useCan('admin');
  // Only owners may change owners.
  const mayChange = isAdmin && !isOnlyOwner && (role !== 'owner' || user?.role === 'owner');
  return (
    <CardItem
      name={
        <>
          {email}
          {user?.id === id && (
            <Text span c="dimmed" fw={400}>
              {' '}
              (you)
            </Text>
          )}
        </>
      }
      about={
        <>
          Joined <RelativeTime at={createdAt} />
        </>
      }
      aside={mayChange ? <RoleField member={member} /> : <Text size="sm">{ROLE_WORDS[role]}</Text>}
      actions={mayChange && <RemoveMember member={member} touches={TOUCHED} />}
    />
  );
}

function RoleField({ member: { id, email, role } }: Pick<MemberRowProps, 'member'>) {
  const { act, isPending } = useAct(TOUCHED);
  return (
    <RoleSelect
      label={`${TEXT.role} of ${email}`}
      value={role}
      disabled={isPending}
      onChange={(next) =>
        act(
          { method: 'PATCH', path: `/v1/members/${id}`, body: { role: next } },
          { done: 'Role changed.' },
        )
      }
    />
  );
}
