/** The alerts of an incident, each with the attempts to deliver it. */
import { Paper, Text, Title } from '@mantine/core';
import { withQuery } from '../../shared/data/api';
import type { Alert, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { ALERT_KIND_WORDS, DELIVERY_WORDS } from '../../shared/text/alert-words';
import { AbsoluteTime, RelativeTime } from '../../shared/text/time';
import { CardList } from '../../shared/ui/card-list';
import { Loading } from '../../shared/ui/loading';
import { ProblemNote } from '../../shared/ui/problem-note';
import { TEXT } from './strings';

/** An incident has few; the rest of a long one is in the trail of its channel. */
const SHOWN_MAX = 200;

export function IncidentAlerts({ incidentId }: { readonly incidentId: string }) {
  const { data, error } = useRead<Page<Alert>>(
    withQuery('/v1/alerts', { incidentId, limit: SHOWN_MAX }),
  );
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {TEXT.alerts}
      </Title>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      {data?.data.length === 0 && <Text c="dimmed">{TEXT.noAlerts}</Text>}
      <CardList>
        {data?.data.map((alert) => (
          <AlertItem key={alert.id} alert={alert} />
        ))}
      </CardList>
    </section>
  );
}

function AlertItem({ alert }: { readonly alert: Alert }) {
  const { kind, status, recipient, channelType, attempts, createdAt } = alert;
  return (
    <Paper component="li" withBorder p="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{ALERT_KIND_WORDS[kind]}</b> by {channelType} to {recipient}:{' '}
        <b style={status === 'failed' ? { color: 'var(--kw-down)' } : {}}>
          {DELIVERY_WORDS[status]}
        </b>{' '}
        <Text span size="xs" c="dimmed">
          <RelativeTime at={createdAt} />
        </Text>
      </Text>
      {attempts.length > 0 && (
        <details>
          <Text component="summary" size="xs" c="dimmed" style={{ cursor: 'pointer' }}>
            {TEXT.attempts}: {attempts.length}
          </Text>
          <ol style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
            {attempts.map(({ at, outcome, detail }) => (
              <Text component="li" size="xs" key={`${at} ${detail}`}>
                <AbsoluteTime at={at} /> {outcome}: {detail}
              </Text>
            ))}
          </ol>
        </details>
      )}
    </Paper>
  );
}
