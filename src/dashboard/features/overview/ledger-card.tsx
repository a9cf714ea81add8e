/** The outcomes of all due slots and alerts of the last days. */
import { Card, Code, Text } from '@mantine/core';
import type { Ledger } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { AbsoluteTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { alertWords, promiseWords, slotWords } from './ledger-words';

export function LedgerCard() {
  const { data } = useRead<Ledger>('/v1/operations/ledger');
  if (data === undefined || data.total.slots.due === 0) return null;
  const { slots, alerts } = data.total;
  return (
    <Card component="section" withBorder>
      <Heading mb="sm">Checks and alerts of the last 7 days</Heading>
      <Text size="sm">{slotWords(slots)}</Text>
      <Text size="sm">{alertWords(alerts)}</Text>
      <Text size="sm" mt={6}>
        {promiseWords(slots)}
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Measure it: <Code>GET /v1/operations/ledger</Code>
      </Text>
      {Date.parse(data.observedFrom) > Date.parse(data.from) && (
        <Text size="xs" c="dimmed" mt={6}>
          Counted since <AbsoluteTime at={data.observedFrom} />
        </Text>
      )}
    </Card>
  );
}
