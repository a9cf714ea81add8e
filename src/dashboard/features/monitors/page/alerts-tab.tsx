/** Every alert that one monitor sent or owes, newest first. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRecipientWords } from '../../../shared/alerts/use-recipient-words';
import { withQuery } from '../../../shared/data/api';
import type { Alert, Page } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { Unread } from '../../../shared/loading/unread';
import { ALERT_KIND_WORDS, DELIVERY_WORDS } from '../../../shared/text/alert-words';
import { AbsoluteTime } from '../../../shared/text/time';
import { EmptyState } from '../../../shared/ui/empty-state';
import { Pager } from '../../../shared/ui/pager';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { TableHead } from '../../../shared/ui/table-head';
import { TabButton } from './tab-button';

const PAGE_SIZE = 50;

export function AlertsTab({ monitorId }: { readonly monitorId: string }) {
  const [{ cursor }] = useSearchState();
  const path = withQuery('/v1/alerts', { resourceId: monitorId, limit: PAGE_SIZE, cursor });
  const { data: page, error } = useRead<Page<Alert>>(path);
  if (page === undefined) return <Unread of={{ data: page, error }} />;
  if (page.data.length === 0 && cursor === undefined)
    return (
      <EmptyState
        title="No alerts"
        text="No alerts have been sent for this monitor."
        action={<TabButton tab="configuration" label="See who gets alerted" />}
      />
    );
  return (
    <>
      <AlertTable alerts={page.data} />
      <Pager nextCursor={page.nextCursor} />
    </>
  );
}

function AlertTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Alerts" minWidth={640}>
        <Table fz="sm">
          <TableHead columns={['At', 'Type', 'To', 'Delivery', 'Incident']} />
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
  const wordsOf = useRecipientWords();
  const last = attempts.at(-1);
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <AbsoluteTime at={createdAt} />
      </Table.Td>
      <Table.Td>{ALERT_KIND_WORDS[kind]}</Table.Td>
      <Table.Td miw={190} style={{ overflowWrap: 'anywhere' }}>
        {wordsOf(alert)}
        <Text size="xs" c="dimmed">
          {channelType}: {recipient}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text
          span
          fz="sm"
          fw={status === 'failed' ? 600 : 400}
          {...(status === 'failed' ? { c: 'var(--kw-down)' } : {})}
        >
          {DELIVERY_WORDS[status]}
        </Text>
        {last?.outcome === 'failed' && (
          <Text size="xs" c="dimmed">
            {last.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {incidentId === null ? (
          '–'
        ) : (
          <Anchor component={Link} to={`/incidents/${incidentId}`} size="sm">
            View incident
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
