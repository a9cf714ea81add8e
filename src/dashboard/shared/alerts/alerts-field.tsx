/** Edits who gets a check's alerts, and which events cause alerts. */
import {
  Alert,
  Button,
  Group,
  MultiSelect,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
} from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { AlertChannel, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useSession } from '../data/session';
import { NumberField } from '../form/fields/number-field';
import { fieldAt, fieldWithin, type Problems } from '../form/problems/problems';
import { Unread } from '../loading/unread';
import { isEmptyDefault } from './recipients';
import { type Routed, RoutedNote } from './routed-note';
import { useFindRecipients } from './use-find-recipients';
import { usePolicies } from './use-policies';
import { useTypeWords } from './use-type-words';

type AlertsDraft = Monitor['alerts'];

/**
 * Returns the options that do not name a single channel: all default channels, the default channel of each type, and
 * chosen types without a default channel.
 */
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
    // If a type has no default channel, its name means the first channel of the type.
    ...[...others]
      .filter((type) => chosen.includes(type))
      .map((type) => ({ value: `${type}`, label: `First ${typeWords(type)}` })),
  ];
}

interface AlertsFieldProps {
  /** The fields of the check that the conditions of alert routes are compared with. */
  readonly routed: Routed;
  readonly value: AlertsDraft;
  readonly onChange: (value: AlertsDraft) => void;
  readonly problems: Problems;
  /** True means that the form shows the `RemindField` elsewhere. */
  readonly isWithoutReminder?: boolean;
}

export function AlertsField(props: AlertsFieldProps) {
  const { routed, value, onChange, problems, isWithoutReminder = false } = props;
  const { data, error } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const typeWords = useTypeWords();
  const channels = data?.data ?? [];
  const hidden = value.channels.filter((reference) => isEmptyDefault(reference, channels));
  const set = (patch: Partial<AlertsDraft>): void => onChange({ ...value, ...patch });
  return (
    <Stack gap="sm">
      <TagsInput
        label="Email addresses"
        description="Press Enter after each."
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
      {!isWithoutReminder && <RemindField value={value} onChange={onChange} problems={problems} />}
    </Stack>
  );
}

type RemindFieldProps = Pick<AlertsFieldProps, 'value' | 'onChange' | 'problems'>;

/** The time between the reminders of a check that stays down. */
export function RemindField({ value, onChange, problems }: RemindFieldProps) {
  return (
    <NumberField
      label="Remind every (minutes)"
      description="While it is down. Leave empty for no reminders."
      w={260}
      value={value.remindEveryMinutes}
      onValue={(remindEveryMinutes) => onChange({ ...value, remindEveryMinutes })}
      {...fieldAt(problems, 'alerts.remindEveryMinutes')}
    />
  );
}

interface PolicyFieldProps {
  /** The key of the policy. null for none. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly problems: Problems;
}

/** The alert policy of a check. Renders nothing if the account has no policies. */
function PolicyField({ value, onChange, problems }: PolicyFieldProps) {
  const policies = usePolicies();
  const isKnown = value === null || policies.some((policy) => policy.value === value);
  if (policies.length === 0 && value === null) return null;
  return (
    <Select
      label="Alert policy"
      description="Failures go through this policy; the recipients above get everything else. Left empty, the first matching route applies."
      placeholder="None"
      data={isKnown ? [...policies] : [...policies, { value, label: value }]}
      value={value}
      onChange={onChange}
      clearable
      {...fieldAt(problems, 'alerts.policy')}
    />
  );
}

interface RecipientsNoteProps {
  readonly alerts: Monitor['alerts'];
  /** Adds the email address of the signed-in person. */
  readonly onAlertMe: (email: string) => void;
}

/** Shows who would be notified, with a clear warning if no one would be. */
function RecipientsNote({ alerts, onAlertMe }: RecipientsNoteProps) {
  const { user, emailEnabled } = useSession();
  const findRecipients = useFindRecipients();
  if (findRecipients === null) return null;
  const { reached, unreachable } = findRecipients(alerts);
  if (reached.length > 0)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Will be notified: {reached.join(', ')}
        {unreachable.length > 0 &&
          `. No email is sent to ${unreachable.join(', ')}: no mail server is set.`}
      </Text>
    );
  return (
    <Alert
      variant="default"
      icon={<IconBellOff aria-hidden color="var(--kw-degraded)" />}
      title="Nobody will be alerted"
    >
      {unreachable.length > 0
        ? 'Only emails are set, and this installation has no mail server. Add a Slack or webhook channel.'
        : toDo(emailEnabled)}
      {emailEnabled && user !== null && (
        <div>
          <Button size="xs" variant="default" mt="xs" onClick={() => onAlertMe(user.email)}>
            Alert {user.email}
          </Button>
        </div>
      )}
    </Alert>
  );
}

function toDo(emailEnabled: boolean): string {
  return emailEnabled
    ? 'Add an email or a channel.'
    : 'This installation has no mail server. Add a Slack or webhook channel.';
}
