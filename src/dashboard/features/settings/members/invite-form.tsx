/** Invites somebody by email address and role. */
import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Member, NewInvitation } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { RoleSelect } from './role-select';
import { ROLE_HINTS, TEXT } from './strings';

interface InviteFormProps {
  /** With the invitation; null when it was given up. */
  readonly onClose: (invitation: NewInvitation | null) => void;
}

export function InviteForm({ onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('editor');
  const { mutate, isPending, error } = useChange<NewInvitation>(['/v1/invitations', '/v1/account']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      { method: 'POST', path: '/v1/invitations', body: { email, role } },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal opened onClose={() => onClose(null)} title={TEXT.add}>
      <form onSubmit={save}>
        <Stack>
          <TextInput
            type="email"
            label={TEXT.email}
            required
            data-autofocus
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            error={faultAt(error, 'email')}
            autoComplete="off"
          />
          <RoleSelect
            label={TEXT.role}
            isLabelShown
            value={role}
            onChange={setRole}
            fault={faultAt(error, 'role')}
          />
          <Text size="sm" c="dimmed">
            {ROLE_HINTS[role]}
          </Text>
          <FormFoot
            problem={error}
            action="Invite"
            isPending={isPending}
            onCancel={() => onClose(null)}
          />
        </Stack>
      </form>
    </Modal>
  );
}
