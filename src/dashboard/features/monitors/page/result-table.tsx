/** A table of results. The time in each row is a button that opens the result. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import type { Result } from '../../../shared/data/api-types';
import { absolute, milliseconds, RelativeTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { StatusLabel } from '../../../shared/ui/status';
import { TableHead } from '../../../shared/ui/table-head';

interface ResultTableProps {
  readonly results: readonly Result[];
  /** False for heartbeats, which send no requests. */
  readonly isSent: boolean;
  readonly onOpen: (result: Result) => void;
}

export function ResultTable({ results, isSent, onOpen }: ResultTableProps) {
  return (
    <Paper withBorder>
      <ScrollBox label="Results" minWidth={640}>
        <Table fz="sm" highlightOnHover style={{ whiteSpace: 'nowrap' }}>
          <TableHead
            columns={['When', 'Status', ...(isSent ? ['Region', 'Code'] : []), 'Time', 'Failure']}
          />
          <Table.Tbody>
            {results.map((result) => (
              <ResultRow key={result.id} result={result} isSent={isSent} onOpen={onOpen} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

interface ResultRowProps extends Pick<ResultTableProps, 'isSent' | 'onOpen'> {
  readonly result: Result;
}

function ResultRow({ result, isSent, onOpen }: ResultRowProps) {
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
      {isSent && <Table.Td>{region}</Table.Td>}
      {isSent && <Table.Td>{response?.status ?? '–'}</Table.Td>}
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
