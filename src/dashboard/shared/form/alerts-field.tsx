/** Who is told of what. */
import { Group, MultiSelect, NumberInput, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { fieldAt, fieldWithin, type Problems } from './problems';

export type AlertsDraft = Monitor['alerts'];

export const NEW_ALERTS: AlertsDraft = {
  channels: ['email', 'slack', 'webhook'],
  emails: [],
  onFailure: true,
  onRecovery: true,
  onDegraded: false,
  remindEveryMinutes: null,
};

const DEFAULTS = [
  { value: 'email', label: 'Default email' },
  { value: 'slack', label: 'Default Slack' },
  { value: 'webhook', label: 'Default webhook' },
];

interface AlertsFieldProps {
  readonly value: AlertsDraft;
  readonly onChange: (value: AlertsDraft) => void;
  readonly problems: Problems;
}

export function AlertsField({ value, onChange, problems }: AlertsFieldProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const channels = data?.data ?? [];
  const set = (patch: Partial<AlertsDraft>): void => onChange({ ...value, ...patch });
  return (
    <Stack gap="sm">
      <TagsInput
        label="Email addresses"
        description="Enter an address and press Enter"
        placeholder={value.emails.length === 0 ? 'oncall@example.com' : ''}
        value={[...value.emails]}
        onChange={(emails) => set({ emails })}
        {...fieldWithin(problems, 'alerts.emails')}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
      />
      <MultiSelect
        label="Channels"
        data={[
          { group: 'Defaults of the account', items: DEFAULTS },
          {
            group: 'Channels',
            items: channels.map(({ id, name, type }) => ({
              value: id,
              label: `${name} (${type})`,
            })),
          },
        ]}
        value={[...value.channels]}
        onChange={(next) => set({ channels: next })}
        {...fieldWithin(problems, 'alerts.channels')}
      />
      {channels.length === 0 && (
        <Text size="xs" c="dimmed">
          There are no channels yet; defaults tell nobody until there are.{' '}
          <Link to="/settings/channels">Add one</Link>
        </Text>
      )}
      <Group gap="lg">
        <Switch
          label="On failure"
          checked={value.onFailure}
          onChange={({ currentTarget }) => set({ onFailure: currentTarget.checked })}
        />
        <Switch
          label="On recovery"
          checked={value.onRecovery}
          onChange={({ currentTarget }) => set({ onRecovery: currentTarget.checked })}
        />
        <Switch
          label="When degraded"
          checked={value.onDegraded}
          onChange={({ currentTarget }) => set({ onDegraded: currentTarget.checked })}
        />
      </Group>
      <NumberInput
        label="Remind every (minutes)"
        description="While it is down; empty for no reminders"
        w={260}
        value={value.remindEveryMinutes ?? ''}
        onChange={(next) => set({ remindEveryMinutes: next === '' ? null : Number(next) })}
        min={5}
        max={10_080}
        {...fieldAt(problems, 'alerts.remindEveryMinutes')}
      />
    </Stack>
  );
}
