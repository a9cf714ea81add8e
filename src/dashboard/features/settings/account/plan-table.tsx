/** The limits of the plan, and how much of each is used. */
import { Paper, Table, Text } from '@mantine/core';
import { API_KEYS_MAX } from '../../../../domain/accounts/plan';
import type { AccountDetail } from '../../../shared/data/api-types';
import { everyWords } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { ScrollBox } from '../../../shared/ui/scroll-box';

const COUNT = new Intl.NumberFormat('en');

export function PlanTable({ account }: { readonly account: AccountDetail }) {
  const { bounds, usage, rateLimits } = account;
  const rows = [
    ['Monitors', usage.monitors, bounds.monitors],
    ['Scenarios', usage.scenarios, bounds.scenarios],
    ['Members and open invitations', usage.members, bounds.members],
  ] as const;
  return (
    <section>
      <Heading mb="xs">Usage and limits</Heading>
      <Paper withBorder>
        <ScrollBox label="Plan limits">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Resource</Table.Th>
                <Table.Th ta="end">Used</Table.Th>
                <Table.Th ta="end">Limit</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(([name, used, allowed]) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="end">{COUNT.format(used)}</Table.Td>
                  <Table.Td ta="end">{COUNT.format(allowed)}</Table.Td>
                </Table.Tr>
              ))}
              <Table.Tr>
                <Table.Td>API keys</Table.Td>
                <Table.Td ta="end">{COUNT.format(usage.apiKeys)}</Table.Td>
                <Table.Td ta="end">
                  {rateLimits === null ? 'none' : COUNT.format(API_KEYS_MAX)}
                </Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
        </ScrollBox>
      </Paper>
      <Text size="sm" mt="xs">
        Checks at most {everyWords(bounds.minIntervalSeconds)}. Results are kept for{' '}
        {bounds.retentionDays} days.{' '}
        {rateLimits === null
          ? 'This plan has no API keys.'
          : `Each API key may send ${COUNT.format(rateLimits.perMinute)} requests a minute and ${COUNT.format(rateLimits.perDay)} a day.`}
      </Text>
    </section>
  );
}
