/** The head of a table whose columns have a name each and nothing else. */
import { Table } from '@mantine/core';

export function TableHead({ columns }: { readonly columns: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column}>{column}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
