/** Creates an account and invites its owner. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PLANS } from '../../../domain/accounts/plan';
import type { NewOperatedAccount } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { ACCOUNTS, TEXT, TOUCHED } from './strings';

interface AccountFormProps {
  /** Called with the account; null when the form was cancelled. */
  readonly onClose: (created: NewOperatedAccount | null) => void;
}

export function AccountForm({ onClose }: AccountFormProps) {
  const [name, setName] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [plan, setPlan] = useState<string>('business');
  const { mutate, isPending, error } = useChange<NewOperatedAccount>(TOUCHED);
  const save = (): void => {
    const body = { name, plan, ownerEmail };
    mutate({ method: 'POST', path: ACCOUNTS, body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action="Create"
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultAt(error, 'name')}
      />
      <TextInput
        type="email"
        label="Email address of the owner"
        required
        value={ownerEmail}
        onChange={({ currentTarget }) => setOwnerEmail(currentTarget.value)}
        error={faultAt(error, 'ownerEmail')}
        autoComplete="off"
      />
      <Select
        label="Plan"
        data={[...PLANS]}
        value={plan}
        allowDeselect={false}
        onChange={(chosen) => setPlan(chosen ?? plan)}
        error={faultAt(error, 'plan')}
      />
    </FormDialog>
  );
}
