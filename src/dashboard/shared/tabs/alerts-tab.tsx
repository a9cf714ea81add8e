/** Lists all alerts of one check, sent or queued, newest first. */
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRecipientWords } from '../alerts/use-recipient-words';
import { withQuery } from '../data/api';
import type { Alert, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSearchState } from '../data/search';
import { Unread } from '../loading/unread';
import { ALERT_KIND_WORDS, DELIVERY_WORDS } from '../text/alert-words';
import { AbsoluteTime } from '../text/time';
import { EmptyState } from '../ui/empty-state';
import { Pager } from '../ui/pager';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';

const PAGE_SIZE = 50;

interface AlertsTabProps {
  readonly resourceId: string;
  /** The word for the check: monitor, heartbeat or scenario. */
  readonly noun: string;
  /** A button that leads to the recipients of the alerts. */
  readonly action: ReactNode;
}

export function AlertsTab({ resourceId, noun, action }: AlertsTabProps) {
  const [{ cursor }] = useSearchState();
  const path = withQuery('/v1/alerts', { resourceId, limit: PAGE_SIZE, cursor });
  const { data: page, error } = useRead<Page<Alert>>(path);
  if (page === undefined) return <Unread of={{ data: page, error }} />;
  if (page.data.length === 0 && cursor === undefined)
    return (
      <EmptyState
        title="No alerts"
        text={`No alerts have been sent for this ${noun}.`}
        action={action}
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
  const { kind, channelType, recipient, status, attempts, incidentId } = alert;
  const formatRecipient = useRecipientWords();
  const last = attempts.at(-1);
  const words = formatRecipient(alert);
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <AbsoluteTime at={alert.sentAt ?? alert.createdAt} />
      </Table.Td>
      <Table.Td>{ALERT_KIND_WORDS[kind]}</Table.Td>
      <Table.Td miw={190} style={{ overflowWrap: 'anywhere' }}>
        {words}
        <Text size="xs" c="dimmed">
          {words.includes(recipient) ? channelType : `${channelType}: ${recipient}`}
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
