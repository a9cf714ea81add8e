/** Variables, one row each. Stored secret values are never shown. */
import { Checkbox, TextInput } from '@mantine/core';
import classes from '../form.module.css';
import { fieldAt, type Problems } from '../problems/problems';
import { RowList } from '../rows/row-list';
import { doubledNames, newVariableRow, type VariableRow } from '../rows/rows';

interface VariablesFieldProps {
  readonly value: readonly VariableRow[];
  readonly onChange: (value: readonly VariableRow[]) => void;
  readonly problems: Problems;
}

const VARIABLE_HEADS = ['Name', 'Value'] as const;

export function VariablesField({ value, onChange, problems }: VariablesFieldProps) {
  const doubled = doubledNames(value);
  return (
    <RowList
      rows={value}
      onChange={onChange}
      newRow={newVariableRow}
      noun="variable"
      layout="variable"
      heads={VARIABLE_HEADS}
    >
      {(row, number, change) => (
        <>
          <TextInput
            aria-label={`Name of variable ${number}`}
            placeholder="baseUrl"
            value={row.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            {...fieldAt(problems, `variables.${row.name.trim()}`)}
            {...(doubled.includes(row.name.trim()) ? { error: 'This name is used twice' } : {})}
          />
          <TextInput
            aria-label={`Value of variable ${number}`}
            type={row.isSecret ? 'password' : 'text'}
            autoComplete="off"
            placeholder={row.isStored ? 'Stored. Type to replace' : 'value'}
            value={row.value}
            onChange={({ currentTarget }) => change({ value: currentTarget.value })}
            {...fieldAt(problems, `variables.${row.name.trim()}.value`)}
          />
          <Checkbox
            className={classes['secret'] ?? ''}
            label="Secret"
            aria-label={`Variable ${number} is secret`}
            checked={row.isSecret}
            onChange={({ currentTarget }) =>
              change({ isSecret: currentTarget.checked, isStored: false })
            }
          />
        </>
      )}
    </RowList>
  );
}
