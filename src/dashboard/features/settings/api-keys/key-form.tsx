/** Creates an API key. */
import { Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import type { NewApiKey } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { AccessField } from './access-field';
import { expiryAfter } from './key-expiry';
import { EXPIRIES, SCOPE_CHOICES, TEXT } from './strings';

interface KeyFormProps {
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewApiKey | null) => void;
}

export function KeyForm({ onClose }: KeyFormProps) {
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
