/** The secrets of the account: names only. The service never returns their values. */
import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { AlertChannel, Page, Secret } from '../../../shared/data/api-types';
import { useChecks } from '../../../shared/data/checks';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { NameField } from '../../../shared/form/fields/name-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { notify } from '../../../shared/ui/notify';
import { SmallButton } from '../../../shared/ui/small-button';
import { ObjectSection } from '../object-section';
import { UsedBy, type User } from '../used-by';

const TEXT = {
  about:
    'Tokens and passwords for requests. Use {{secret:NAME}} in a header or body. Nobody can read a value again, and results show it redacted.',
  add: 'Add secret',
  newValue: 'New value',
  noneTitle: 'No secrets yet',
  none: 'Store tokens and passwords here and use them in monitors and scenarios.',
  noneReadOnly: 'An editor of this account can add tokens and passwords here.',
} as const;

export function SecretsSection() {
  return (
    <ObjectSection<Secret>
      path="/v1/secrets"
      text={TEXT}
      card={(secret, edit) => <SecretCard key={secret.name} secret={secret} onEdit={edit} />}
      form={(secret, close) => <SecretForm secret={secret} onClose={close} />}
    />
  );
}

interface SecretCardProps {
  readonly secret: Secret;
  readonly onEdit: () => void;
}

function SecretCard({ secret, onEdit }: SecretCardProps) {
  const { name, version, updatedAt, usedBy, hosts } = secret;
  const mayWrite = useCan('write');
  const users = useUsers(usedBy);
  return (
    <CardItem
      name={
        <Text span inherit ff="monospace">
          {name}
        </Text>
      }
      about={
        <>
          Version {version}, set <RelativeTime at={updatedAt} /> · sent to{' '}
          {hosts === null ? 'any host' : hosts.join(', ')}
        </>
      }
      actions={
        mayWrite && (
          <>
            <SmallButton onClick={onEdit} aria-label={`${TEXT.newValue} of ${name}`}>
              {TEXT.newValue}
            </SmallButton>
            <DeleteButton
              path={`/v1/secrets/${encodeURIComponent(name)}`}
              ifVersion={version}
              touches={['/v1/secrets']}
              label={`Delete ${name}`}
              question={{ title: `Delete “${name}”?`, text: describeLoss(users) }}
              done="Secret deleted."
            />
          </>
        )
      }
    >
      <UsedBy users={users} />
    </CardItem>
  );
}

/**
 * Returns the monitors, scenarios and channels that use a secret. Each is shown by its id until its name is loaded. Two
 * requests read all names, for any number of ids.
 */
function useUsers(ids: readonly string[]): readonly User[] {
  const { checks = [] } = useChecks();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const known = [...checks, ...(data?.data ?? [])];
  return ids.map((id) => ({ id, name: known.find((one) => one.id === id)?.name ?? id }));
}

function describeLoss(users: readonly User[]): string {
  if (users.length === 0) return 'No monitor, scenario or channel uses it.';
  const names = users.map(({ name }) => name).join(', ');
  return `It is used by ${names}. Their next checks and alerts will fail.`;
}

/** Parses a list of hosts. null means any host. */
function parseHosts(text: string): readonly string[] | null {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  return hosts.length === 0 ? null : hosts;
}

interface SecretFormProps {
  /** null for a new secret. */
  readonly secret: Secret | null;
  readonly onClose: () => void;
}

/** The form that stores a secret under a name. The page does not keep the value after sending it. */
function SecretForm({ secret, onClose }: SecretFormProps) {
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
