/** Creates an API key. */
import { Checkbox, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { NewApiKey } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { expiryAfter } from './key-expiry';
import { EXPIRIES, SCOPE_WORDS, TEXT } from './strings';

interface KeyFormProps {
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewApiKey | null) => void;
}

export function KeyForm({ onClose }: KeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(['read']);
  const [days, setDays] = useState('90');
  const { mutate, isPending, error } = useChange<NewApiKey>(['/v1/api-keys', '/v1/account']);
  const save = (): void => {
    const body = { name, scopes, expiresAt: expiryAfter(days, Date.now()) };
    mutate({ method: 'POST', path: '/v1/api-keys', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action={TEXT.add}
      isPending={isPending}
      isDisabled={scopes.length === 0}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <NameField
        description="Where it is used, for example “deploy pipeline”."
        value={name}
        onChange={setName}
        error={faultAt(error, 'name')}
      />
      <Checkbox.Group
        label="Scopes"
        description="Each scope includes the ones above."
        value={scopes}
        onChange={setScopes}
        error={faultAt(error, 'scopes')}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(SCOPE_WORDS).map(([scope, words]) => (
            <Checkbox key={scope} value={scope} label={words} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires"
        data={EXPIRIES}
        value={days}
        onChange={(value) => setDays(value ?? '90')}
        allowDeselect={false}
        error={faultAt(error, 'expiresAt')}
      />
    </FormDialog>
  );
}
