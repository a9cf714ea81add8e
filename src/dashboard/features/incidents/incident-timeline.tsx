/** What happened during an incident, oldest first. */
import { Text, Timeline, Title } from '@mantine/core';
import {
  IconBellZ,
  IconCircleCheck,
  IconFlame,
  IconMail,
  IconMessage,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Incident } from '../../shared/data/api-types';
import { AbsoluteTime, RelativeTime } from '../../shared/text/time';
import { TEXT, TIMELINE_WORDS } from './strings';

type Entry = Incident['timeline'][number];

const ICONS: Readonly<Record<Entry['kind'], ComponentType<{ size?: number }>>> = {
  opened: IconFlame,
  alert: IconMail,
  acknowledged: IconUserCheck,
  unacknowledged: IconUserX,
  snoozed: IconBellZ,
  note: IconMessage,
  recovered: IconCircleCheck,
};

export function IncidentTimeline({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {TEXT.timeline}
      </Title>
      <Timeline bulletSize={28} lineWidth={2}>
        {entries.map(({ at, kind, text }) => {
          const Icon = ICONS[kind];
          return (
            <Timeline.Item
              key={`${at} ${kind} ${text}`}
              bullet={<Icon size={15} aria-hidden />}
              title={TIMELINE_WORDS[kind]}
            >
              <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {text}
              </Text>
              <Text size="xs" c="dimmed">
                <AbsoluteTime at={at} /> (<RelativeTime at={at} />)
              </Text>
            </Timeline.Item>
          );
        })}
      </Timeline>
    </section>
  );
}
