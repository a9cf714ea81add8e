/**
 * Shows the attempts of one check or step as tabs: the last attempt with all its evidence, earlier attempts in short.
 */
import { Group, Stack, Tabs, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AbsoluteTime, milliseconds } from '../text/time';
import { FailureAlert } from './failure-alert';
import type { Measured } from './measured';
import { RESULT_TEXT } from './words';

type Attempt = Measured['attempts'][number];

interface AttemptTabsProps {
  /** Two or more attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  /** The number of the first attempt in the list. Older attempts may have been dropped. */
  readonly firstNumber: number;
  /** The evidence of the last attempt. */
  readonly children: ReactNode;
}

export function AttemptTabs({ attempts, firstNumber, children }: AttemptTabsProps) {
  const last = attempts.length - 1;
  return (
    <Tabs defaultValue={String(last)} keepMounted={false}>
      <Tabs.List aria-label="Attempts" mb="sm">
        {attempts.map((attempt, index) => (
          <AttemptTab
            key={attempt.startedAt}
            attempt={attempt}
            value={String(index)}
            number={firstNumber + index}
          />
        ))}
      </Tabs.List>
      {attempts.slice(0, last).map((attempt, index) => (
        <Tabs.Panel key={attempt.startedAt} value={String(index)}>
          <EarlierAttempt attempt={attempt} />
        </Tabs.Panel>
      ))}
      <Tabs.Panel value={String(last)}>{children}</Tabs.Panel>
    </Tabs>
  );
}

interface AttemptTabProps {
  readonly attempt: Attempt;
  readonly value: string;
  readonly number: number;
}

function AttemptTab({ attempt: { failure }, value, number }: AttemptTabProps) {
  const [Icon, word, color] =
    failure === null
      ? [IconCheck, RESULT_TEXT.held, 'var(--kw-up)']
      : [IconX, RESULT_TEXT.failed, 'var(--kw-down)'];
  return (
    <Tabs.Tab
      value={value}
      leftSection={<Icon size={14} color={color} aria-hidden />}
      aria-label={`Attempt ${number}, ${word.toLowerCase()}`}
    >
      Attempt {number}
    </Tabs.Tab>
  );
}

function EarlierAttempt({ attempt }: { readonly attempt: Attempt }) {
  const { startedAt, status, responseTimeMs, failure } = attempt;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        {status !== null && (
          <Text size="sm">
            {RESULT_TEXT.response} <b>{status}</b>
          </Text>
        )}
        <Text size="sm">{milliseconds(responseTimeMs)}</Text>
        <Text size="sm" c="dimmed">
          <AbsoluteTime at={startedAt} />
        </Text>
      </Group>
      {failure !== null && <FailureAlert failure={failure} />}
      <Text size="sm" c="dimmed">
        Headers, timing and body are kept for the last attempt.
      </Text>
    </Stack>
  );
}
