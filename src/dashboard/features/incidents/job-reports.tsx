/** The reports of a job before and during an incident of its heartbeat, and when they were expected. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../shared/data/api';
import type { HeartbeatMonitor, Incident, Page, Result } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { ExpectedPing } from '../../shared/results/expected-ping';
import { AbsoluteTime, milliseconds } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { ScrollBox } from '../../shared/ui/scroll-box';
import { StatusLabel } from '../../shared/ui/status';
import { TableHead } from '../../shared/ui/table-head';
import { TEXT } from './strings';

const REPORTS_MAX = 10;
const SECOND_MS = 1_000;

interface JobReportsProps {
  readonly monitor: HeartbeatMonitor;
  readonly incident: Pick<Incident, 'closedAt'>;
}

export function JobReports({ monitor, incident: { closedAt } }: JobReportsProps) {
  // One second later, to include the ping that resolved the incident.
  const to = closedAt === null ? null : new Date(Date.parse(closedAt) + SECOND_MS).toISOString();
  const path = withQuery(`/v1/monitors/${monitor.id}/results`, { to, limit: REPORTS_MAX });
  const { data, error } = useRead<Page<Result>>(path);
  return (
    <Paper component="section" withBorder p="md">
      <Heading>{TEXT.reports}</Heading>
      <ExpectedPing monitor={monitor} />
      <Unread of={{ data, error }} />
      {data?.data.length === 0 && <Text c="dimmed">No reports of that time are kept.</Text>}
      {data !== undefined && data.data.length > 0 && <ReportTable reports={data.data} />}
    </Paper>
  );
}

function ReportTable({ reports }: { readonly reports: readonly Result[] }) {
  return (
    <ScrollBox label={TEXT.reports} minWidth={520}>
      <Table fz="sm" mt="sm">
        <TableHead columns={['At', 'Status', 'Report', 'Duration']} />
        <Table.Tbody>
          {reports.map(({ id, monitorId, slot, status, responseTimeMs, failure }) => (
            <Table.Tr key={id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Anchor
                  component={Link}
                  to={`/monitors/${monitorId}/results/${encodeURIComponent(id)}`}
                  size="sm"
                >
                  <AbsoluteTime at={slot} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <StatusLabel status={status} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {failure?.message ?? 'The job reported success.'}
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{milliseconds(responseTimeMs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
