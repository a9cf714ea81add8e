/** The figures of a window by region. */
import { Paper, Table, Text } from '@mantine/core';
import type { Uptime } from '../data/api-types';
import { milliseconds, percent } from '../text/time';
import { Heading } from '../ui/heading';
import { ScrollBox } from '../ui/scroll-box';
import classes from './charts.module.css';
import { type Counted, countedHead, countText } from './counted';

interface RegionTableProps {
  readonly regions: Uptime['byRegion'];
  readonly counted: Counted;
}

export function RegionTable({ regions, counted }: RegionTableProps) {
  if (regions.length < 2) return null;
  const times = regions.map(({ responseTimeMs }) => responseTimeMs.p95 ?? 0);
  const slowest = Math.max(0, ...times);
  const isOneSlowest = slowest > 0 && times.filter((time) => time === slowest).length === 1;
  return (
    <Paper component="section" withBorder p="md" mb="md">
      <Heading size="h5" mb="xs">
        Regions
      </Heading>
      <ScrollBox label="Regions">
        <Table fz="sm" verticalSpacing={4} className={classes['regions'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Region</Table.Th>
              <Table.Th>Uptime</Table.Th>
              <Table.Th>p50</Table.Th>
              <Table.Th>p95</Table.Th>
              <Table.Th>p99</Table.Th>
              <Table.Th w="22%" visibleFrom="sm">
                p95 compared
              </Table.Th>
              <Table.Th visibleFrom="sm">{countedHead(counted)}</Table.Th>
              <Table.Th visibleFrom="sm">Failed</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {regions.map(({ region, availability, responseTimeMs, checks }) => (
              <Table.Tr key={region}>
                <Table.Th scope="row">
                  {region}
                  {isOneSlowest && responseTimeMs.p95 === slowest && (
                    <Text span size="xs" c="dimmed">
                      {' '}
                      slowest
                    </Text>
                  )}
                </Table.Th>
                <Table.Td>{percent(availability)}</Table.Td>
                <Table.Td>{milliseconds(responseTimeMs.p50)}</Table.Td>
                <Table.Td>{milliseconds(responseTimeMs.p95)}</Table.Td>
                <Table.Td>{milliseconds(responseTimeMs.p99)}</Table.Td>
                <Table.Td visibleFrom="sm">
                  {responseTimeMs.p95 !== null && (
                    <div
                      className={classes['bar']}
                      style={{ width: `${(100 * responseTimeMs.p95) / Math.max(1, slowest)}%` }}
                    />
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">{countText(checks.total)}</Table.Td>
                <Table.Td visibleFrom="sm">{countText(checks.failed)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}
