/** The alerts that the latest incidents of one monitor sent, newest first. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withQuery } from '../../shared/api';
import type { Alert, Incident, Page } from '../../shared/api-types';
import { EmptyState } from '../../shared/empty-state';
import { Loading } from '../../shared/loading';
import { ProblemNote } from '../../shared/problem-note';
import { useRead, useReads } from '../../shared/queries';
import { ScrollBox } from '../../shared/scroll-box';
import { AbsoluteTime } from '../../shared/time';
import { TabButton } from './tab-button';

/** Alerts are asked for by incident, so only those of the latest ones are. */
const INCIDENTS_READ = 10;

const STATUS_WORDS: Readonly<Record<Alert['status'], string>> = {
  pending: 'On its way',
  sent: 'Sent',
  failed: 'Failed',
  suppressed: 'In a digest',
};

export function AlertsTab({ monitorId }: { readonly monitorId: string }) {
  const path = withQuery('/v1/incidents', { resourceId: monitorId, limit: INCIDENTS_READ });
  const { data: page, error } = useRead<Page<Incident>>(path);
  const found = useReads<Page<Alert>>(
    (page?.data ?? [])
      .filter(({ alerts }) => alerts.length > 0)
      .map(({ id }) => withQuery('/v1/alerts', { incidentId: id })),
  );
  const problem = error ?? found.find((read) => read.error !== null)?.error ?? null;
  if (problem !== null) return <ProblemNote problem={problem} />;
  if (page === undefined || found.some(({ isPending }) => isPending)) return <Loading />;
  const alerts = found
    .flatMap(({ data }) => data?.data ?? [])
    .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));
  if (alerts.length === 0)
    return (
      <EmptyState
        title="No alerts"
        text="Nobody has been told anything of this monitor."
        action={<TabButton tab="configuration" label="See who would be told" />}
      />
    );
  return (
    <>
      <AlertTable alerts={alerts} />
      {page.nextCursor !== null && (
        <Text size="sm" c="dimmed" mt="sm">
          These are the alerts of the last {INCIDENTS_READ} incidents.
        </Text>
      )}
    </>
  );
}

function AlertTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Alerts" minWidth={640}>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>At</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>To</Table.Th>
              <Table.Th>Delivery</Table.Th>
              <Table.Th>Incident</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { kind, channelType, recipient, status, attempts, createdAt, incidentId } = alert;
  const last = attempts.at(-1);
  return (
    <Table.Tr>
      <Table.Td>
        <AbsoluteTime at={createdAt} />
      </Table.Td>
      <Table.Td>{kind}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {recipient} ({channelType})
      </Table.Td>
      <Table.Td>
        {STATUS_WORDS[status]}
        {last?.outcome === 'failed' && (
          <Text size="xs" c="dimmed">
            {last.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {incidentId === null ? (
          '–'
        ) : (
          <Anchor component={Link} to={`/incidents/${incidentId}`} size="sm">
            The incident
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
