/** The events of an incident, oldest first. Deliveries are chips; notes are rendered from Markdown. */
import { Badge, Group, Text } from '@mantine/core';
import {
  IconArrowsUpDown,
  IconBellZ,
  IconCircleCheck,
  IconFlame,
  IconMail,
  IconMessage,
  IconSitemap,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import { type ComponentType, Fragment } from 'react';
import { useRecipientWords } from '../../shared/alerts/use-recipient-words';
import type { Alert, Incident } from '../../shared/data/api-types';
import { Unread } from '../../shared/loading/unread';
import { ALERT_KIND_WORDS, DELIVERY_WORDS } from '../../shared/text/alert-words';
import { Heading } from '../../shared/ui/heading';
import { groupByDay } from './day-parts';
import classes from './incidents.module.css';
import { Note } from './note';
import { OutageParts } from './outage-parts';
import { ClockTime } from './step-time';
import { buildStory, type StoryEntry } from './story';
import { TEXT, TIMELINE_WORDS } from './strings';
import { useAlerts } from './use-alerts';

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
  flapping: IconArrowsUpDown,
};

export function IncidentTimeline({ incident }: { readonly incident: Incident }) {
  const { data, error } = useAlerts(incident);
  return (
    <section>
      <Heading mb="sm">{TEXT.timeline}</Heading>
      <Unread of={{ data, error }} shape={null} />
      <OutageParts incident={incident} entries={buildStory(incident, data?.data ?? [])}>
        {(entries) => <Entries entries={entries} />}
      </OutageParts>
    </section>
  );
}

function Entries({ entries }: { readonly entries: readonly StoryEntry[] }) {
  return groupByDay(entries, ({ at }) => at).map(({ day, entries: own }) => (
    <Fragment key={day}>
      <p className={classes['day']}>{day}</p>
      <ol className={classes['timeline']}>
        {own.map((entry) => (
          <Entry
            key={`${entry.at} ${entry.kind} ${entry.kind === 'alert' ? entry.alerts[0]?.id : entry.text}`}
            entry={entry}
          />
        ))}
      </ol>
    </Fragment>
  ));
}

function Entry({ entry }: { readonly entry: StoryEntry }) {
  const Icon = ICONS[entry.kind];
  const word = TIMELINE_WORDS[entry.kind];
  // Some texts already begin with the word, such as `Acknowledged by Ann`.
  const isWhole = entry.kind !== 'alert' && entry.kind !== 'note' && entry.text.startsWith(word);
  return (
    <li className={classes['entry']}>
      <span className={classes['bullet']}>
        <Icon size={14} aria-hidden />
      </span>
      <div>
        <div className={classes['head']}>
          <b>{isWhole ? entry.text : word}</b>
          <ClockTime at={entry.at} />
        </div>
        {!isWhole && <Content entry={entry} />}
      </div>
    </li>
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
  const formatRecipient = useRecipientWords();
  const chip = (
    <Badge
      variant="outline"
      color={COLORS[status]}
      tt="none"
      maw="100%"
      title={`${channelType}: ${recipient}`}
    >
      {ALERT_KIND_WORDS[kind]} · {formatRecipient(alert)} · {DELIVERY_WORDS[status]}
    </Badge>
  );
  if (attempts.length === 0) return chip;
  return (
    <details style={{ maxWidth: '100%' }}>
      <summary style={{ cursor: 'pointer' }}>{chip}</summary>
      <ol style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {attempts.map(({ at, outcome, detail }) => (
          <Text component="li" size="xs" key={`${at} ${detail}`}>
            <ClockTime at={at} /> {outcome}: {detail}
          </Text>
        ))}
      </ol>
    </details>
  );
}
