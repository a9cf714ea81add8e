/** The API keys of the account, and a button to revoke each. A new key is shown only once. */
import { Checkbox, Select, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { ApiKey, NewApiKey } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { NameField } from '../../../shared/form/fields/name-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { RelativeTime } from '../../../shared/text/time';
import { absolute } from '../../../shared/text/time-text';
import { CardItem } from '../../../shared/ui/card-list';
import { CopyField } from '../../../shared/ui/copy-field';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { ObjectSection } from '../object-section';
import { AccessField } from './access-field';
import { expiryAfter, findKeyEnd } from './key-expiry';
import { accessWords, EXPIRIES, SCOPE_CHOICES, TEXT } from './strings';

export function ApiKeysSection() {
  const [made, setMade] = useState<NewApiKey | null>(null);
  return (
    <>
      {made !== null && (
        <ShownOnce title={`The API key “${made.name}”`} onDone={() => setMade(null)}>
          <CopyField label="API key" value={made.key} />
          <CopyField label="Try it" value={formatSample(made.key)} />
        </ShownOnce>
      )}
      <ObjectSection<ApiKey>
        path="/v1/api-keys"
        text={TEXT}
        mayAdd="admin"
        label="API keys"
        card={(key) => <KeyCard key={key.id} apiKey={key} />}
        form={(_key, close) => (
          <KeyForm
            onClose={(key) => {
              close();
              if (key !== null) setMade(key);
            }}
          />
        )}
      />
    </>
  );
}

function formatSample(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${window.location.origin}/v1/monitors`;
}

interface KeyProps {
  readonly apiKey: ApiKey;
}

function KeyCard({ apiKey }: KeyProps) {
  const { name, prefix, last4, scopes, operator, lastUsedAt, createdAt } = apiKey;
  return (
    <CardItem
      name={name}
      code={`${prefix}…${last4}`}
      about={`${accessWords(scopes)}${operator ? ', and manage all accounts' : ''}`}
      aside={<Expiry apiKey={apiKey} />}
      actions={<Action apiKey={apiKey} />}
    >
      <Text size="sm" c="dimmed">
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            Last used <RelativeTime at={lastUsedAt} />
          </>
        )}{' '}
        · created <RelativeTime at={createdAt} />
      </Text>
      {isRisky(apiKey) && (
        <Text size="sm" c="var(--kw-degraded)">
          <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> This key has
          full access and never expires. Replace it with one that expires.
        </Text>
      )}
    </CardItem>
  );
}

/** True for a valid key that never expires and has full access or can manage all accounts. */
function isRisky(key: ApiKey): boolean {
  const isLasting = key.expiresAt === null && findKeyEnd(key, Date.now()) === null;
  return isLasting && (key.operator || key.scopes.includes('admin'));
}

function Expiry({ apiKey }: KeyProps) {
  const end = findKeyEnd(apiKey, Date.now());
  if (end !== null) return <Text size="sm">{end === 'revoked' ? 'Revoked' : 'Expired'}</Text>;
  return (
    <Text size="sm">
      {apiKey.expiresAt === null ? (
        'Never expires'
      ) : (
        <>
          Expires <RelativeTime at={apiKey.expiresAt} />
        </>
      )}
    </Text>
  );
}

/** Returns a sentence like `It was last used on 29 Nov 2026, 14:35:39.` */
function usedWords({ lastUsedAt }: ApiKey): string {
  return lastUsedAt === null
    ? 'It has never been used.'
    : `It was last used on ${absolute(lastUsedAt)}.`;
}

function Action({ apiKey }: KeyProps) {
  const { id, name } = apiKey;
  if (findKeyEnd(apiKey, Date.now()) !== null) return null;
  return (
    <DeleteButton
      path={`/v1/api-keys/${id}`}
      touches={['/v1/api-keys', '/v1/account']}
      word={TEXT.revoke}
      label={`${TEXT.revoke} ${name}`}
      question={{
        title: `Revoke “${name}”?`,
        text: `Scripts and CI jobs that use this key are refused from now on. ${usedWords(apiKey)} This can’t be undone.`,
      }}
      done="API key revoked."
    />
  );
}

interface KeyFormProps {
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewApiKey | null) => void;
}

function KeyForm({ onClose }: KeyFormProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState('read');
  const [days, setDays] = useState('90');
  const [isForOperator, setIsForOperator] = useState(false);
  const { operator: mayOperate } = useSession();
  const { mutate, isPending, error } = useChange<NewApiKey>(['/v1/api-keys', '/v1/account']);
  const save = (): void => {
    const body = {
      name,
      scopes: [scope],
      operator: isForOperator,
      expiresAt: expiryAfter(days, Date.now()),
    };
    mutate({ method: 'POST', path: '/v1/api-keys', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action={TEXT.add}
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <NameField
        description="Where it is used, for example “deploy pipeline”."
        value={name}
        onChange={setName}
        error={faultAt(error, 'name')}
      />
      <AccessField
        choices={SCOPE_CHOICES}
        value={scope}
        onChange={setScope}
        fault={faultAt(error, 'scopes')}
      />
      {mayOperate && (
        <Checkbox
          label={TEXT.operator}
          description={TEXT.operatorHint}
          checked={isForOperator}
          onChange={({ currentTarget }) => setIsForOperator(currentTarget.checked)}
        />
      )}
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
