/** Suspends an account with a reason, or resumes it. */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { OperatedAccount } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { SmallButton } from '../../shared/ui/small-button';
import { ACCOUNTS, TEXT } from './strings';

export function SuspendButton({ account }: { readonly account: OperatedAccount }) {
  const { id, name, suspended } = account;
  const [isAsking, setIsAsking] = useState(false);
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useChange([ACCOUNTS]);
  const path = `${ACCOUNTS}/${id}`;
  const word = suspended === null ? TEXT.suspend : TEXT.resume;
  const act = (): void => {
    if (suspended === null) setIsAsking(true);
    else mutate({ method: 'PATCH', path, body: { suspended: null } });
  };
  const suspend = (): void =>
    mutate(
      { method: 'PATCH', path, body: { suspended: { reason } } },
      { onSuccess: () => setIsAsking(false) },
    );
  return (
    <>
      <SmallButton
        variant="subtle"
        loading={isPending}
        onClick={act}
        aria-label={`${word} ${name}`}
      >
        {word}
      </SmallButton>
      {isAsking && (
        <FormDialog
          title={`Suspend ${name}?`}
          problem={error}
          action={TEXT.suspend}
          isPending={isPending}
          onSubmit={suspend}
          onClose={() => setIsAsking(false)}
        >
          <Text size="sm">{TEXT.suspendHint}</Text>
          <TextInput
            label="Reason"
            required
            data-autofocus
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            error={faultAt(error, 'suspended.reason')}
          />
        </FormDialog>
      )}
    </>
  );
}
