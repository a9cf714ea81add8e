/** One member. Admins can change the role or remove the member. */
import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../shared/actions/use-act';
import { withQuery } from '../../../shared/data/api';
import type { Member } from '../../../shared/data/api-types';
import { useCan, useSession } from '../../../shared/data/session';
import { FormDialog } from '../../../shared/form/form-dialog';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
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
  // Admins may change members. Only owners may change owners.
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

interface RemoveMemberProps {
  readonly member: Member;
  /** The paths that are read again after the removal. */
  readonly touches: readonly string[];
}

/** Removes a member. First, the admin chooses what happens to the API keys of that person. */
function RemoveMember({ member: { id, email }, touches }: RemoveMemberProps) {
  const [isOpen, setOpen] = useState(false);
  const [apiKeys, setApiKeys] = useState('end');
  const { act, isPending } = useAct(touches);
  const remove = (): void => {
    setOpen(false);
    const path = withQuery(`/v1/members/${id}`, { apiKeys });
    act({ method: 'DELETE', path }, { done: 'Member removed.' });
  };
  return (
    <>
      <SmallButton
        c="var(--mantine-color-red-text)"
        loading={isPending}
        onClick={() => setOpen(true)}
        aria-label={`${TEXT.remove} ${email}`}
      >
        {TEXT.remove}
      </SmallButton>
      {isOpen && (
        <FormDialog
          title={`Remove ${email}?`}
          action={TEXT.remove}
          onSubmit={remove}
          onClose={() => setOpen(false)}
        >
          <Text size="sm">
            Their sessions end now, and their pipelines and invitations stop working. Their private
            views are deleted.
          </Text>
          <Radio.Group label="Their API keys" value={apiKeys} onChange={setApiKeys}>
            <Stack gap="xs" mt="xs">
              <Radio value="end" label="Revoke them now" />
              <Radio
                value="move"
                label="Move them to an owner"
                description="They keep working, with the rights that they have now."
              />
            </Stack>
          </Radio.Group>
        </FormDialog>
      )}
    </>
  );
}
