/** The fields of a form body, one row each. */
import { TextInput } from '@mantine/core';
import type { OfferedName } from '../editor/complete-reference';
import { fieldAt } from '../form/problems';
import { RowList } from '../form/row-list';
import { doubledNames, newHeaderRow } from '../form/rows';
import { TemplateInput } from '../form/template-input';
import type { BodyFieldProps } from './body-field';

const NO_NAMES: readonly OfferedName[] = [];

export function FormRowsField(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, names = NO_NAMES } = props;
  const doubled = doubledNames(value.form);
  return (
    <RowList
      rows={value.form}
      onChange={(form) => onChange({ ...value, form })}
      newRow={newHeaderRow}
      noun="form field"
      layout="pair"
    >
      {(row, number, change) => (
        <>
          <TextInput
            aria-label={`Name of form field ${number}`}
            placeholder="user"
            value={row.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={doubled.includes(row.name.trim()) ? 'This name is used twice' : undefined}
          />
          <TemplateInput
            aria-label={`Value of form field ${number}`}
            placeholder="value"
            value={row.value}
            onValue={(text) => change({ value: text })}
            names={names}
            {...fieldAt(problems, `${prefix}form.${row.name.trim()}`)}
          />
        </>
      )}
    </RowList>
  );
}
