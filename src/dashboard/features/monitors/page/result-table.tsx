/** Results as rows. The time of each is the button that opens it. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import type { Result } from '../../../shared/data/api-types';
import { FAILURE_WORDS } from '../../../shared/results/words';
import { absolute, milliseconds, RelativeTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { StatusLabel } from '../../../shared/ui/status';

interface ResultTableProps {
  readonly results: readonly Result[];
  readonly onOpen: (result: Result) => void;
}

export function ResultTable({ results, onOpen }: ResultTableProps) {
  return (
    <Paper withBorder>
      <ScrollBox label="Results" minWidth={640}>
        <Table fz="sm" highlightOnHover style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Region</Table.Th>
              <Table.Th>Code</Table.Th>
              <Table.Th>Time</Table.Th>
              <Table.Th>Failure</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map((result) => (
              <ResultRow key={result.id} result={result} onOpen={onOpen} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

interface ResultRowProps {
  readonly result: Result;
  readonly onOpen: (result: Result) => void;
}

function ResultRow({ result, onOpen }: ResultRowProps) {
  const { slot, startedAt, status, region, response, responseTimeMs } = result;
  const at = startedAt ?? slot;
  return (
    <Table.Tr onClick={() => onOpen(result)} style={{ cursor: 'pointer' }}>
      <Table.Td>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(result);
          }}
          aria-label={`Open the result of ${absolute(at)}`}
        >
          <RelativeTime at={at} />
        </Anchor>
        {result.kind === 'manual' && (
          <Text size="xs" c="dimmed">
            manual
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StatusLabel status={status} />
        {result.inMaintenance && (
          <Text size="xs" c="dimmed">
            in maintenance
          </Text>
        )}
      </Table.Td>
      <Table.Td>{region}</Table.Td>
      <Table.Td>{response?.status ?? '–'}</Table.Td>
      <Table.Td>{milliseconds(responseTimeMs)}</Table.Td>
      <Table.Td miw={220} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {wrongText(result)}
      </Table.Td>
    </Table.Tr>
  );
}

function wrongText({ gap, failure, assertions }: Result): string {
  if (gap !== null) return gap.slots === 1 ? '1 check missed' : `${gap.slots} checks missed`;
  if (failure === null) return assertions.find(({ ok }) => !ok)?.message ?? '–';
  return failure.message === '' ? FAILURE_WORDS[failure.code] : failure.message;
}
