/** Makes an API key. */
import { Checkbox, Modal, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NewApiKey } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { expiryAfter } from './key-expiry';
import { EXPIRIES, SCOPE_WORDS, TEXT } from './strings';

interface KeyFormProps {
  /** With the key that was made; null when it was given up. */
  readonly onClose: (key: NewApiKey | null) => void;
}

export function KeyForm({ onClose }: KeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(['read']);
  const [days, setDays] = useState('90');
  const { mutate, isPending, error } = useChange<NewApiKey>(['/v1/api-keys', '/v1/account']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const body = { name, scopes, expiresAt: expiryAfter(days, Date.now()) };
    mutate({ method: 'POST', path: '/v1/api-keys', body }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={() => onClose(null)} title={TEXT.add}>
      <form onSubmit={save}>
        <Stack>
          <TextInput
            label="Name"
            description="Where it is used, for example “deploy pipeline”."
            required
            data-autofocus
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={faultAt(error, 'name')}
          />
          <Checkbox.Group
            label={TEXT.scopes}
            description={TEXT.scopesHint}
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
            label={TEXT.expires}
            data={EXPIRIES}
            value={days}
            onChange={(value) => setDays(value ?? '90')}
            allowDeselect={false}
            error={faultAt(error, 'expiresAt')}
          />
          <FormFoot
            problem={error}
            action={TEXT.add}
            isPending={isPending}
            isDisabled={scopes.length === 0}
            onCancel={() => onClose(null)}
          />
        </Stack>
      </form>
    </Modal>
  );
}
