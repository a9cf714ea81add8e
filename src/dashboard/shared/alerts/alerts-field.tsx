/** The recipients of a check's alerts, and the events that notify them. */
import { Group, MultiSelect, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { NumberField } from '../form/number-field';
import { fieldAt, fieldWithin, type Problems } from '../form/problems';
import { Unread } from '../loading/unread';
import { PolicyField } from './policy-field';
import { isEmptyDefault } from './recipients';
import { RecipientsNote } from './recipients-note';
import { type Routed, RoutedNote } from './routed-note';
import { useTypeWords } from './use-type-words';

type AlertsDraft = Monitor['alerts'];

/** The options for existing default channels, and for types in the rule. */
function wordsFor(
  channels: readonly AlertChannel[],
  chosen: readonly string[],
  typeWords: (type: string) => string,
) {
  const defaults = new Set(channels.flatMap(({ type, isDefault }) => (isDefault ? [type] : [])));
  const others = new Set(channels.flatMap(({ type }) => (defaults.has(type) ? [] : [type])));
  return [
    ...(defaults.size === 0 ? [] : [{ value: 'default', label: 'Every default channel' }]),
    ...[...defaults].map((type) => ({ value: `${type}`, label: `Default ${typeWords(type)}` })),
    // The name of a type without a default channel means the first channel of that type.
    ...[...others]
      .filter((type) => chosen.includes(type))
      .map((type) => ({ value: `${type}`, label: `First ${typeWords(type)}` })),
  ];
}

interface AlertsFieldProps {
  /** The fields that routes match. */
  readonly routed: Routed;
  readonly value: AlertsDraft;
  readonly onChange: (value: AlertsDraft) => void;
  readonly problems: Problems;
}

export function AlertsField({ routed, value, onChange, problems }: AlertsFieldProps) {
  const { data, error } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const typeWords = useTypeWords();
  const channels = data?.data ?? [];
  const hidden = value.channels.filter((reference) => isEmptyDefault(reference, channels));
  const set = (patch: Partial<AlertsDraft>): void => onChange({ ...value, ...patch });
  return (
    <Stack gap="sm">
      <TagsInput
        label="Email addresses"
        description="Press Enter after each"
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
          {
            group: 'Defaults of the account',
            items: wordsFor(channels, value.channels, typeWords),
          },
          {
            group: 'Channels',
            items: channels.map(({ id, name, type }) => ({
              value: id,
              label: `${name} (${typeWords(type)})`,
            })),
          },
        ]}
        value={value.channels.filter((reference) => !hidden.includes(reference))}
        onChange={(next) => set({ channels: [...next, ...hidden] })}
        {...fieldWithin(problems, 'alerts.channels')}
      />
      <Unread of={{ data, error }} shape={null} />
      {data?.data.length === 0 && (
        <Text size="xs" c="dimmed">
          No channels yet.{' '}
          <Link to="/alerting/channels" target="_blank">
            Add a channel in a new tab
          </Link>
          : default channels are used from then on.
        </Text>
      )}
      <PolicyField
        value={value.policy}
        onChange={(policy) => set({ policy })}
        problems={problems}
      />
      {value.policy === null && (
        <RoutedNote
          routed={routed}
          alerts={value}
          otherwise={
            <RecipientsNote
              alerts={value}
              onAlertMe={(email) => set({ emails: [...value.emails, email] })}
            />
          }
        />
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
      <NumberField
        label="Remind every (minutes)"
        description="While it is down. Leave empty for no reminders."
        w={260}
        value={value.remindEveryMinutes}
        onValue={(remindEveryMinutes) => set({ remindEveryMinutes })}
        {...fieldAt(problems, 'alerts.remindEveryMinutes')}
      />
    </Stack>
  );
}
