/** Edits the variables of the account. */
import { useState } from 'react';
import type { AccountVariables } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
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
  const save = (): void => {
    const onSuccess = (): void => {
      notify('Variables saved.');
      onClose();
    };
    const body = { variables: toRecord(rows) };
    const ifVersion = stored.version;
    mutate({ method: 'PUT', path: '/v1/variables', body, ifVersion }, { onSuccess });
  };
  return (
    <FormDialog
      size="lg"
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
