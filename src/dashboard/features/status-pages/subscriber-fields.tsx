/** The ways in which people can subscribe to a page. */
import { Stack, Switch } from '@mantine/core';
import type { SubscriberSettings } from '../../../contracts/letters/letters';

const WAYS = [
  {
    way: 'mail',
    label: 'Subscribe by email',
    description: 'People confirm by a link, and each email has one to unsubscribe.',
  },
  { way: 'webhook', label: 'Subscribe by webhook', description: 'Sends posts as JSON.' },
  { way: 'slack', label: 'Subscribe in Slack', description: 'Through an incoming webhook.' },
] as const;

interface SubscriberFieldsProps {
  readonly subscribers: SubscriberSettings;
  readonly onChange: (subscribers: SubscriberSettings) => void;
}

export function SubscriberFields({ subscribers, onChange }: SubscriberFieldsProps) {
  return (
    <Stack gap="sm">
      {WAYS.map(({ way, label, description }) => (
        <Switch
          key={way}
          label={label}
          description={description}
          checked={subscribers[way]}
          onChange={({ currentTarget }) =>
            onChange({ ...subscribers, [way]: currentTarget.checked })
          }
        />
      ))}
    </Stack>
  );
}
