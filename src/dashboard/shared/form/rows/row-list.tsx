/** A list of rows that can be added and removed. */
import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../form.module.css';
import { AddRow } from './add-row';
import { RemoveButton } from './remove-button';

interface RowListProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  readonly newRow: () => Row;
  /** The word for one row, in lower case: `header`. */
  readonly noun: string;
  /** The layout of a row. Its last column is the button that removes it. */
  readonly layout: 'pair' | 'assertion' | 'variable';
  /** The visible labels of the first columns, above the first row. Each input has its own accessible name. */
  readonly heads?: readonly string[];
  /** The path of the list in the body, by which the summary of problems finds the list. */
  readonly path?: string;
  readonly children: (row: Row, number: number, change: (patch: Partial<Row>) => void) => ReactNode;
}

export function RowList<Row extends { readonly rowId: string }>(props: RowListProps<Row>) {
  const { rows, onChange, newRow, noun, layout, heads = [], path, children } = props;
  return (
    <Stack gap="xs" data-rows>
      {rows.length > 0 && heads.length > 0 && (
        <div className={`${classes['row']} ${classes[layout]} ${classes['heads']}`} aria-hidden>
          {heads.map((head) => (
            <span key={head}>{head}</span>
          ))}
        </div>
      )}
      {rows.map((row, index) => (
        <div
          key={row.rowId}
          data-row-id={row.rowId}
          className={`${classes['row']} ${classes[layout]}`}
        >
          {children(row, index + 1, (patch) =>
            onChange(rows.map((other) => (other === row ? { ...row, ...patch } : other))),
          )}
          <RemoveButton
            row={`${noun} ${index + 1}`}
            onRemove={() => onChange(rows.filter((other) => other !== row))}
          />
        </div>
      ))}
      <Group data-path={path}>
        <AddRow rows={rows} newRow={newRow} onChange={onChange}>{`Add ${noun}`}</AddRow>
      </Group>
    </Stack>
  );
}
