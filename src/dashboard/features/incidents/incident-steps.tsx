/** Open, acknowledged, resolved: how far an incident has come, by whom and when. */
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Incident } from '../../shared/data/api-types';
import { outageSince } from '../../shared/data/trouble';
import { AbsoluteTime, lengthOf, RelativeTime } from '../../shared/text/time';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { TEXT, TIMELINE_WORDS } from './strings';

export function IncidentSteps({ incident }: { readonly incident: Incident }) {
  const { openedAt, acknowledgedAt, acknowledgedBy, closedAt, durationSeconds } = incident;
  const nowMs = useNowMs();
  const { snoozedUntil, snoozedBy, snoozeReason } = incident;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > nowMs;
  return (
    <SimpleGrid component="ol" cols={{ base: 1, xs: 3 }} m={0} p={0} spacing="sm">
      <Step name={TIMELINE_WORDS.opened} at={openedAt} />
      <Step
        name={TEXT.acknowledged}
        at={acknowledgedAt}
        none={closedAt === null ? TEXT.notYet : 'No'}
      >
        {acknowledgedAt !== null && `by ${acknowledgedBy ?? 'someone'}`}
        {isSnoozed && closedAt === null && (
          <>
            Snoozed by {snoozedBy ?? 'someone'} until <AbsoluteTime at={snoozedUntil} />:{' '}
            {snoozeReason}
          </>
        )}
      </Step>
      <Step name={TEXT.resolved} at={closedAt}>
        {closedAt === null
          ? `Down for ${lengthSince(outageSince(incident), nowMs)}`
          : `after ${lengthOf(durationSeconds)}`}
      </Step>
    </SimpleGrid>
  );
}

interface StepProps {
  readonly name: string;
  /** null: not yet. */
  readonly at: string | null;
  /** In place of a time. */
  readonly none?: string;
  readonly children?: ReactNode;
}

function Step({ name, at, none = TEXT.notYet, children }: StepProps) {
  const Icon = at === null ? IconCircle : IconCircleCheckFilled;
  return (
    <Paper component="li" withBorder p="sm" style={{ listStyle: 'none' }}>
      <Text fw={600} {...(at === null && { c: 'dimmed' })}>
        <Icon size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> {name}
      </Text>
      <Text size="sm">
        {at === null ? (
          none
        ) : (
          <>
            <AbsoluteTime at={at} /> (<RelativeTime at={at} />)
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Paper>
  );
}
