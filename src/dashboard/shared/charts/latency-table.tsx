/** The numbers behind the lines of response times, newest first. */
import { Table, Text } from '@mantine/core';
import { absolute, milliseconds } from '../text/time';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';
import classes from './charts.module.css';
import { type LatencyRow, type Stat, tableRows } from './latency';

interface LatencyTableProps {
  readonly regions: readonly string[];
  readonly rows: readonly LatencyRow[];
  readonly stat: Stat;
  /** Shown if no row has a value. */
  readonly empty: string;
}

export function LatencyTable({ regions, rows, stat, empty }: LatencyTableProps) {
  const shown = tableRows(rows);
  if (shown.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <div className={classes['table']}>
      <ScrollBox label={`Response time, ${stat}`} minWidth={260 + 90 * regions.length}>
        <Table fz="sm" verticalSpacing={4}>
          <TableHead columns={['From', ...regions]} />
          <Table.Tbody>
            {shown.map(({ fromMs, values }) => (
              <Table.Tr key={fromMs}>
                <Table.Td>{absolute(new Date(fromMs).toISOString())}</Table.Td>
                {regions.map((region, index) => (
                  <Table.Td key={region}>{milliseconds(values[index] ?? null)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </div>
  );
}
