/** The events of an incident, oldest first. Deliveries are chips; notes are rendered from Markdown. */
import { Badge, Group, Text, Timeline } from '@mantine/core';
import {
  IconBellZ,
  IconCircleCheck,
  IconFlame,
  IconMail,
  IconMessage,
  IconSitemap,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useRecipientWords } from '../../shared/alerts/use-recipient-words';
import { withQuery } from '../../shared/data/api';
import type { Alert, Incident, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Unread } from '../../shared/loading/unread';
import { ALERT_KIND_WORDS, DELIVERY_WORDS } from '../../shared/text/alert-words';
import { AbsoluteTime, RelativeTime } from '../../shared/text/time';
import { Heading } from '../../shared/ui/heading';
import { Note } from './note';
import { OutageParts } from './outage-parts';
import { buildStory, type StoryEntry, type StoryPart, splitStory } from './story';
import { TIMELINE_WORDS } from './strings';

/** How many alerts are shown. Most incidents have fewer, and `GET /v1/alerts` lists the rest. */
const ALERTS_MAX = 200;

const ICONS: Readonly<Record<StoryEntry['kind'], ComponentType<{ size?: number }>>> = {
  opened: IconFlame,
  alert: IconMail,
  acknowledged: IconUserCheck,
  unacknowledged: IconUserX,
  snoozed: IconBellZ,
  note: IconMessage,
  recovered: IconCircleCheck,
  explained: IconSitemap,
  explains: IconSitemap,
};

export function IncidentTimeline({ incident }: { readonly incident: Incident }) {
  const { data, error } = useRead<Page<Alert>>(
    withQuery('/v1/alerts', { incidentId: incident.id, limit: ALERTS_MAX }),
  );
  const parts = splitStory(incident, buildStory(incident, data?.data ?? []));
  return (
    <section>
      <Heading mb="md">Timeline</Heading>
      <Unread of={{ data, error }} shape={null} />
      <OutageParts parts={parts}>{(entries) => <Entries entries={entries} />}</OutageParts>
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm" mt="sm">
          No alerts were sent.
        </Text>
      )}
    </section>
  );
}

function Entries({ entries }: Pick<StoryPart<StoryEntry>, 'entries'>) {
  return (
    <Timeline bulletSize={28} lineWidth={2}>
      {entries.map((entry) => {
        const Icon = ICONS[entry.kind];
        return (
          <Timeline.Item
            key={`${entry.at} ${entry.kind} ${entry.kind === 'alert' ? entry.alerts[0]?.id : entry.text}`}
            bullet={<Icon size={15} aria-hidden />}
            title={TIMELINE_WORDS[entry.kind]}
          >
            <Content entry={entry} />
            <Text size="xs" c="dimmed">
              <AbsoluteTime at={entry.at} /> (<RelativeTime at={entry.at} />)
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function Content({ entry }: { readonly entry: StoryEntry }) {
  if (entry.kind === 'alert')
    return (
      <Group gap="xs" my={4} align="flex-start">
        {entry.alerts.map((alert) => (
          <Delivery key={alert.id} alert={alert} />
        ))}
      </Group>
    );
  if (entry.kind === 'note')
    return (
      <>
        <Text size="sm" fw={600}>
          {entry.by}
        </Text>
        <Note text={entry.text} />
      </>
    );
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {entry.text}
    </Text>
  );
}

const COLORS: Readonly<Record<Alert['status'], string>> = {
  pending: 'gray',
  sent: 'green',
  failed: 'red',
  suppressed: 'gray',
};

/** One delivery to a recipient of an alert. It expands to show the attempts. */
function Delivery({ alert }: { readonly alert: Alert }) {
  const { kind, channelType, recipient, status, attempts } = alert;
  const wordsOf = useRecipientWords();
  const chip = (
    <Badge
      variant="outline"
      color={COLORS[status]}
      tt="none"
      maw="100%"
      title={`${channelType}: ${recipient}`}
    >
      {ALERT_KIND_WORDS[kind]} · {wordsOf(alert)} · {DELIVERY_WORDS[status]}
    </Badge>
  );
  if (attempts.length === 0) return chip;
  return (
    <details style={{ maxWidth: '100%' }}>
      <summary style={{ cursor: 'pointer' }}>{chip}</summary>
      <ol style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {attempts.map(({ at, outcome, detail }) => (
          <Text component="li" size="xs" key={`${at} ${detail}`}>
            <AbsoluteTime at={at} /> {outcome}: {detail}
          </Text>
        ))}
      </ol>
    </details>
  );
}
