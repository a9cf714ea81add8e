/**
 * A table of things with their actions: the first column names a thing, the last one holds its actions. On a phone
 * each row is a card, with the actions next to the name and the other values below, each after the name of its column.
 */
import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { TableHead } from '../ui/table-head';
import classes from './row-table.module.css';

interface RowTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The content of each cell, by the name of its column. */
  readonly columns: Readonly<Record<string, (row: Row) => ReactNode>>;
}

export function RowTable<Row extends { readonly id: string }>(props: RowTableProps<Row>) {
  const { label, rows, columns } = props;
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" aria-label={label} className={classes['table'] ?? ''}>
        <TableHead columns={Object.keys(columns)} />
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {Object.entries(columns).map(([column, show]) => (
                <Table.Td key={column} data-column={column}>
                  {show(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
