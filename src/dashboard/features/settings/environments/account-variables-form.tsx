/** Edits the variables of the account. */
import { useState } from 'react';
import type { AccountVariables } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { findStartedRollout } from '../../../shared/rollouts/find-started-rollout';
import { RolloutDialog } from '../../../shared/rollouts/rollout-dialog';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { toRecord, toRows } from './environment-draft';
import { ENVIRONMENTS, VARIABLES_TEXT } from './strings';
import { ValueRows } from './value-rows';

interface AccountVariablesFormProps {
  readonly stored: AccountVariables;
  readonly onClose: () => void;
}

export function AccountVariablesForm({ stored, onClose }: AccountVariablesFormProps) {
  const [rows, setRows] = useState(() => toRows(stored.variables));
  const { mutate, isPending, error } = useChange<AccountVariables>(ENVIRONMENTS.touches);
  const [rolloutId, setRolloutId] = useState<string | null>(null);
  const showRollout = async ({ updatedAt }: AccountVariables): Promise<void> => {
    const cause = { type: 'variables' } as const;
    const found = await findStartedRollout(cause, updatedAt ?? '').catch(() => null);
    if (found === null) onClose();
    else setRolloutId(found);
  };
  const save = (): void => {
    const onSuccess = (saved: AccountVariables): void => {
      notify('Variables saved.');
      void showRollout(saved);
    };
    const body = { variables: toRecord(rows) };
    const ifVersion = stored.version;
    mutate({ method: 'PUT', path: '/v1/variables', body, ifVersion }, { onSuccess });
  };
  if (rolloutId !== null) return <RolloutDialog id={rolloutId} onClose={onClose} />;
  return (
    <FormDialog
      title={VARIABLES_TEXT.title}
      isUnchecked
      draft={rows}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <ValueRows
        legend="Variables, used as {{name}}"
        noun="variable"
        example={['language', 'de']}
        rows={rows}
        onChange={setRows}
        fault={(name) => faultAt(error, `variables.${name}`)}
      />
    </FormDialog>
  );
}
