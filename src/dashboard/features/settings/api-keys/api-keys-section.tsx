/** The API keys of the account. A new key is shown only once. */
import { useState } from 'react';
import type { ApiKey, NewApiKey } from '../../../shared/data/api-types';
import { CopyField } from '../../../shared/ui/copy-field';
import { ShownOnce } from '../../../shared/ui/shown-once';
import { SettingsList } from '../settings-list';
import { KeyForm } from './key-form';
import { KeyList } from './key-list';
import { TEXT } from './strings';

export function ApiKeysSection() {
  const [isAdding, setIsAdding] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const close = (key: NewApiKey | null): void => {
    setIsAdding(false);
    if (key !== null) setMade(key);
  };
  return (
    <>
      {made !== null && (
        <ShownOnce title={`The API key “${made.name}”`} onDone={() => setMade(null)}>
          <CopyField label="API key" value={made.key} />
          <CopyField label="Try it" value={formatSample(made.key)} />
        </ShownOnce>
      )}
      <SettingsList<ApiKey>
        path="/v1/api-keys"
        text={TEXT}
        mayAdd="admin"
        onAdd={() => setIsAdding(true)}
      >
        {(keys) => <KeyList keys={keys} />}
      </SettingsList>
      {isAdding && <KeyForm onClose={close} />}
    </>
  );
}

function formatSample(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${window.location.origin}/v1/monitors`;
}
