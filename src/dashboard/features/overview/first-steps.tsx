/** The setup steps that a new account has not done yet. Hidden once all are done, or once someone dismisses them. */
import { Button, Card, Group, List, ThemeIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { AccountDetail, AlertChannel, Overview, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { Heading } from '../../shared/ui/heading';

/** The key in local storage. Its value is the id of the account whose steps were dismissed. */
const DISMISSED = 'keepwatch-first-steps-dismissed';

/** How many of the steps an account needs before it is of use. */
const NEEDED = 2;

interface FirstStepsProps {
  readonly overview: Overview;
  /** Where the steps would be shown. They come first only while nothing is monitored or no one is alerted. */
  readonly position: 'first' | 'last';
}

export function FirstSteps({ overview, position }: FirstStepsProps) {
  const channels = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const account = useRead<AccountDetail>('/v1/account');
  const [dismissed, setDismissed] = useLocalStorage({
    key: DISMISSED,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  if (channels.data === undefined || account.data === undefined) return null;
  const { id } = account.data;
  if (dismissed === id) return null;
  const steps = [
    { isDone: overview.monitors.total > 0, to: '/monitors/new', text: 'Create a monitor' },
    {
      isDone: channels.data.data.length > 0,
      to: '/alerting/channels',
      text: 'Set up alerts and send a test',
    },
    {
      isDone: overview.scenarios.total > 0,
      to: '/scenarios/new?start=example',
      text: 'Monitor a user journey with a scenario',
    },
    {
      isDone: account.data.usage.members > 1,
      to: '/settings/members',
      text: 'Invite a teammate',
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const isNew = steps.slice(0, NEEDED).some(({ isDone }) => !isDone);
  if (isNew !== (position === 'first')) return null;
  return (
    <Card component="section" withBorder>
      <Group justify="space-between" mb="xs">
        <Heading>First steps</Heading>
        <Button size="compact-sm" variant="subtle" onClick={() => setDismissed(id)}>
          Dismiss
        </Button>
      </Group>
      <List size="sm" spacing="xs" center listStyleType="none" p={0}>
        {steps.map(({ isDone, to, text }) => (
          <List.Item
            key={to}
            icon={
              <ThemeIcon
                variant="default"
                size={24}
                radius="xl"
                role="img"
                aria-label={isDone ? 'done' : 'open'}
              >
                {isDone ? (
                  <IconCheck size={14} aria-hidden />
                ) : (
                  <IconCircleDashed size={14} aria-hidden />
                )}
              </ThemeIcon>
            }
          >
            {isDone ? text : <Link to={to}>{text}</Link>}
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
