/** Invites a person by email address and role. */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Member, NewInvitation } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { RoleSelect } from './role-select';
import { ROLE_HINTS, TEXT } from './strings';

interface InviteFormProps {
  /** Called with the invitation; null when the form was cancelled. */
  readonly onClose: (invitation: NewInvitation | null) => void;
}

export function InviteForm({ onClose }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('editor');
  const { mutate, isPending, error } = useChange<NewInvitation>(['/v1/invitations', '/v1/account']);
  const save = (): void => {
    mutate(
      { method: 'POST', path: '/v1/invitations', body: { email, role } },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action="Invite"
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextInput
        type="email"
        label="Email address"
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
    </FormDialog>
  );
}
