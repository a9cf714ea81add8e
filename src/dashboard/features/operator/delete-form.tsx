/** Deletes an account after its name has been typed. */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OperatedAccount } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { ACCOUNTS, TEXT } from './strings';

interface DeleteFormProps {
  readonly account: OperatedAccount;
  readonly onClose: () => void;
}

export function DeleteForm({ account: { id, name }, onClose }: DeleteFormProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { mutate, isPending, error } = useChange([ACCOUNTS]);
  const remove = (): void => {
    if (typed === name)
      mutate({ method: 'DELETE', path: `${ACCOUNTS}/${id}` }, { onSuccess: onClose });
    else setFault(`Type “${name}” to confirm.`);
  };
  return (
    <FormDialog
      title={`Delete ${name}?`}
      problem={error}
      action="Delete"
      isPending={isPending}
      onSubmit={remove}
      onClose={onClose}
    >
      <Text size="sm">{TEXT.deleteHint}</Text>
      <TextInput
        label="Name of the account"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={fault}
        autoComplete="off"
      />
    </FormDialog>
  );
}
