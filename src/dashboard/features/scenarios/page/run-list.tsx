/** A page of runs in a table. */
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FAILURE_WORDS } from '../../../../domain/states/failure-words';
import type { Run } from '../../../shared/data/api-types';
import { milliseconds, RelativeTime } from '../../../shared/text/time';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { RunStatusLabel } from '../../../shared/ui/status';
import { TableHead } from '../../../shared/ui/table-head';
import { startWords } from '../runs/run-facts';
import { RUN_TEXT } from '../strings';

interface RunListProps {
  readonly scenarioId: string;
  readonly runs: readonly Run[];
}

export function RunList({ scenarioId, runs }: RunListProps) {
  return (
    <ScrollBox label={RUN_TEXT.runs} minWidth={620}>
      <Table fz="sm" verticalSpacing={6}>
        <TableHead columns={['Run', 'Status', 'Started', 'Region', 'Duration', 'Failure']} />
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to={`/scenarios/${scenarioId}/runs/${run.id}`}
                  size="sm"
                  underline="always"
                >
                  <RelativeTime at={run.queuedAt} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <RunStatusLabel status={run.status} />
              </Table.Td>
              <Table.Td>{startWords(run)}</Table.Td>
              <Table.Td>{run.region}</Table.Td>
              <Table.Td>{milliseconds(run.durationMs)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{failureWords(run)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function failureWords({ failure }: Run): string {
  if (failure === null) return '–';
  const where = failure.stepName === null ? '' : `${failure.stepName}: `;
  return where + (failure.message === '' ? FAILURE_WORDS[failure.code] : failure.message);
}
