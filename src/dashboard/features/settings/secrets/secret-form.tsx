/** Puts a value under a name. The value leaves the page with the request. */
import { Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Secret } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { notify } from '../../../shared/ui/notify';
import { TEXT } from './strings';

/** null: anywhere. */
function hostsOf(text: string): readonly string[] | null {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  return hosts.length === 0 ? null : hosts;
}

interface SecretFormProps {
  /** null for a new one. */
  readonly secret: Secret | null;
  readonly onClose: () => void;
}

export function SecretForm({ secret, onClose }: SecretFormProps) {
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(secret?.hosts?.join(', ') ?? '');
  const { mutate, isPending, error } = useChange<Secret>(['/v1/secrets']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      {
        method: 'PUT',
        path: `/v1/secrets/${encodeURIComponent(name)}`,
        body: { value, hosts: hostsOf(hosts) },
        ...(secret === null ? {} : { ifVersion: secret.version }),
      },
      {
        onSuccess: () => {
          notify(TEXT.saved);
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={secret === null ? TEXT.add : `New value of ${name}`}>
      <form onSubmit={save}>
        <Stack>
          {secret === null && (
            <TextInput
              label="Name"
              description={TEXT.nameHint}
              required
              data-autofocus
              maxLength={100}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={faultAt(error, 'name')}
              autoComplete="off"
            />
          )}
          <PasswordInput
            label="Value"
            description={TEXT.valueHint}
            required
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            error={faultAt(error, 'value')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
          />
          <TextInput
            label="Hosts"
            description={TEXT.hostsHint}
            value={hosts}
            onChange={({ currentTarget }) => setHosts(currentTarget.value)}
            error={faultAt(error, 'hosts')}
            autoComplete="off"
          />
          <FormFoot problem={error} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
