/** Stores a secret under a name. The page does not keep the value after sending it. */
import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Secret } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { TEXT } from './strings';

/** null for any host. */
function parseHosts(text: string): readonly string[] | null {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  return hosts.length === 0 ? null : hosts;
}

interface SecretFormProps {
  /** null for a new secret. */
  readonly secret: Secret | null;
  readonly onClose: () => void;
}

export function SecretForm({ secret, onClose }: SecretFormProps) {
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState(secret?.hosts?.join(', ') ?? '');
  const { mutate, isPending, error } = useChange<Secret>(['/v1/secrets']);
  const save = (): void => {
    mutate(
      {
        method: 'PUT',
        path: `/v1/secrets/${encodeURIComponent(name)}`,
        body: { value, hosts: parseHosts(hosts) },
        ...(secret === null ? {} : { ifVersion: secret.version }),
      },
      {
        onSuccess: () => {
          notify('Secret saved. Probes use it within a minute.');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={secret === null ? TEXT.add : `New value of ${name}`}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {secret === null && (
        <NameField
          description="Letters, digits, _ . and -. An existing name gets the new value."
          maxLength={100}
          value={name}
          onChange={setName}
          error={faultAt(error, 'name')}
          autoComplete="off"
        />
      )}
      <PasswordInput
        label="Value"
        description="It can be replaced later, but not read."
        required
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
        error={faultAt(error, 'value')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
      />
      <TextInput
        label="Hosts"
        description="Allowed hosts: api.example.com (https), *.example.com for all subdomains, api.example.com:8443, or http://10.0.0.5:8080. Leave empty for any host."
        value={hosts}
        onChange={({ currentTarget }) => setHosts(currentTarget.value)}
        error={faultAt(error, 'hosts')}
        autoComplete="off"
      />
    </FormDialog>
  );
}
