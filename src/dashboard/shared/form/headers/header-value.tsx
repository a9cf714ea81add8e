/** The value of one header. Credentials are masked, and a button turns them into a secret. */
import { Button, PasswordInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useAct } from '../../actions/use-act';
import type { Page, Secret } from '../../data/api-types';
import { useRead } from '../../data/queries';
import type { OfferedName } from '../../editor/complete-reference';
import { TemplateInput } from '../fields/template-input';
import { fieldAt, type Problems } from '../problems/problems';
import type { HeaderRow } from '../rows/rows';
import { holdsCredential, toSecret } from './secret-header';

const SECRETS = '/v1/secrets';

interface HeaderValueProps {
  readonly row: HeaderRow;
  readonly label: string;
  readonly names: readonly OfferedName[];
  readonly onValue: (value: string) => void;
  readonly problems: Problems;
  readonly path: string;
}

export function HeaderValue({ row, label, names, onValue, problems, path }: HeaderValueProps) {
  // Remembers whether the field contained a credential at first. The type of the input must not change while the user
  // types.
  const [wasCredential, setWasCredential] = useState(() => holdsCredential(row));
  const isCredential = holdsCredential(row);
  if (!isCredential || !wasCredential)
    return (
      <TemplateInput
        aria-label={label}
        placeholder="application/json"
        value={row.value}
        names={names}
        onValue={onValue}
        onBlur={() => setWasCredential(isCredential)}
        {...fieldAt(problems, path)}
      />
    );
  return (
    <div>
      <PasswordInput
        aria-label={label}
        value={row.value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLowerCase()}` }}
        {...fieldAt(problems, path)}
      />
      <SaveAsSecret row={row} onValue={onValue} />
    </div>
  );
}

interface SaveAsSecretProps {
  readonly row: Pick<HeaderRow, 'name' | 'value'>;
  /** Called with the reference to the secret once the secret is saved. */
  readonly onValue: (value: string) => void;
}

export function SaveAsSecret({ row, onValue }: SaveAsSecretProps) {
  const { data } = useRead<Page<Secret>>(`${SECRETS}?limit=500`);
  const { act, isPending } = useAct([SECRETS]);
  const save = (): void => {
    const taken = (data?.data ?? []).map(({ name }) => name);
    const { secretName, secretValue, headerValue } = toSecret(row, taken);
    act(
      {
        method: 'PUT',
        path: `${SECRETS}/${encodeURIComponent(secretName)}`,
        body: { value: secretValue },
      },
      {
        done: `Saved as the secret “${secretName}”.`,
        onDone: () => onValue(headerValue),
      },
    );
  };
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      mt={4}
      loading={isPending}
      disabled={data === undefined}
      onClick={save}
      leftSection={<IconLock size={12} aria-hidden />}
    >
      Save as secret
    </Button>
  );
}
