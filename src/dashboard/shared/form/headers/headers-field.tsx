/** Headers of a request, one row each. */
import { Text, TextInput } from '@mantine/core';
import type { OfferedName } from '../../editor/complete-reference';
import { type Problems, problemAt } from '../problems/problems';
import { RowList } from '../rows/row-list';
import { doubledNames, type HeaderRow, newHeaderRow } from '../rows/rows';
import { HeaderValue } from './header-value';

interface HeadersFieldProps {
  readonly value: readonly HeaderRow[];
  readonly onChange: (value: readonly HeaderRow[]) => void;
  readonly problems: Problems;
  /** The path of the headers, like `headers` or `steps[1].headers`. */
  readonly path: string;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[] | undefined;
}

export function HeadersField({ value, onChange, problems, path, names = [] }: HeadersFieldProps) {
  const doubled = doubledNames(value);
  const whole = problemAt(problems, path);
  return (
    <>
      <RowList
        rows={value}
        onChange={onChange}
        newRow={newHeaderRow}
        noun="header"
        layout="pair"
        path={path}
      >
        {(row, number, change) => (
          <>
            <TextInput
              aria-label={`Name of header ${number}`}
              placeholder="accept"
              value={row.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
              error={doubled.includes(row.name.trim()) ? 'This name is used twice' : undefined}
            />
            <HeaderValue
              row={row}
              label={`Value of header ${number}`}
              names={names}
              onValue={(typed) => change({ value: typed })}
              problems={problems}
              path={`${path}.${row.name.trim()}`}
            />
          </>
        )}
      </RowList>
      {whole !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {whole}
        </Text>
      )}
    </>
  );
}
