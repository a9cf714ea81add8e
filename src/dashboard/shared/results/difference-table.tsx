/** Shows the differences between a result and the last passing result. */
import { Table, Text } from '@mantine/core';
import { ScrollBox } from '../ui/scroll-box';
import type { Difference } from './difference';
import classes from './results.module.css';

interface DifferenceTableProps {
  readonly differences: readonly Difference[];
  /** The head of the column of the result that differs. */
  readonly resultLabel?: string | undefined;
}

export function DifferenceTable({
  differences,
  resultLabel = 'This result',
}: DifferenceTableProps) {
  if (differences.length === 0) {
    return <Text size="sm">Status, headers and body are the same, as far as they were kept.</Text>;
  }
  return (
    <ScrollBox label="Differences">
      <div className={classes['card']}>
        <Table fz="sm" verticalSpacing={4} layout="fixed" className={classes['differences'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={220}>Field</Table.Th>
              <Table.Th>Last passing</Table.Th>
              <Table.Th>{resultLabel}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ part, name, before, after }) => (
              <Table.Tr key={`${part} ${name}`}>
                <Table.Th scope="row" className={classes['what'] ?? ''}>
                  {part} <code>{name}</code>
                </Table.Th>
                <Value text={before} mark="before" />
                <Value text={after} mark="after" />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </ScrollBox>
  );
}

interface ValueProps {
  readonly text: string | null;
  readonly mark: 'before' | 'after';
}

function Value({ text, mark }: ValueProps) {
  return (
    <Table.Td className={classes['differs'] ?? ''}>
      {text === null ? (
        <i>not there</i>
      ) : (
        <pre className={classes['differing']} data-mark={mark}>
          {text}
        </pre>
      )}
    </Table.Td>
  );
}
