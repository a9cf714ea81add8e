/**
 * The state of the external watchdog, which notices when this installation stops. If there is a problem, the section
 * shows what to do.
 */
import { Alert, Anchor, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { AccountDetail } from '../../../shared/data/api-types';
import { absolute, everyWords } from '../../../shared/text/time-text';
import { Heading } from '../../../shared/ui/heading';
import { StatusIcon } from '../../../shared/ui/status';

const HOW_TO = '/docs/monitoring.md#watchdog';

type Facts = NonNullable<NonNullable<AccountDetail['service']>['watchdog']>;

const STATE_WORDS: Readonly<Record<Facts['state'], string>> = {
  healthy: 'Reports that checks are made',
  waiting: 'Nothing reported yet',
  failing: 'Reports a failure',
  unreported: 'The receiver does not take the reports',
};

const ICONS = { healthy: 'up', waiting: 'unknown', failing: 'down', unreported: 'down' } as const;

const ADVICE: Readonly<Record<Facts['state'], string | null>> = {
  healthy: null,
  waiting: 'The first ping is sent as soon as an orchestrator runs.',
  failing:
    'Fix what the reason names. The pings then continue, and their receiver knows since when they were missing.',
  unreported: 'Check KEEPWATCH_WATCHDOG_URL, and whether this host can reach it.',
};

/** A warning for an installation without a watchdog. */
export function NoWatchdog() {
  return (
    <Alert
      variant="outline"
      color="orange"
      icon={<IconAlertTriangle aria-hidden color="var(--kw-degraded)" />}
      title={
        <Text span inherit c="var(--kw-degraded)">
          Nobody is notified if this whole installation stops
        </Text>
      }
    >
      Let a second Keepwatch or another receiver of heartbeats watch it.{' '}
      <Anchor href={HOW_TO} target="_blank" rel="noreferrer" size="sm" underline="always">
        Set up the watchdog
      </Anchor>
    </Alert>
  );
}

export function Watchdog({ facts }: { readonly facts: Facts }) {
  const { state, url, everySeconds, requires, reason, lastPingAt } = facts;
  const advice = ADVICE[state];
  return (
    <section>
      <Heading mb="xs">Watchdog</Heading>
      <Paper withBorder p="md">
        <Stack gap={4}>
          <Group gap={6} wrap="nowrap">
            <StatusIcon status={ICONS[state]} size={16} />
            <Text span size="sm">
              {STATE_WORDS[state]}
            </Text>
          </Group>
          {reason !== null && <Text size="sm">{reason}</Text>}
          {advice !== null && <Text size="sm">{advice}</Text>}
          <Text size="sm" c="dimmed">
            <Code>{url}</Code> gets a ping {everyWords(everySeconds)}, while there are{' '}
            {requires.join(', ')}
            {lastPingAt === null
              ? '. It has had none yet.'
              : `. Last one: ${absolute(lastPingAt)}.`}
          </Text>
        </Stack>
      </Paper>
    </section>
  );
}
