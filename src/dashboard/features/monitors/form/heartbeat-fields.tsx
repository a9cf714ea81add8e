/** What a heartbeat is defined by: its name, when its job is to report, and who is notified. */
import { Card, Grid, NumberInput, SegmentedControl, Stack, TextInput, Title } from '@mantine/core';
import { AlertsField } from '../../../shared/form/alerts-field';
import { fieldAt, type Problems } from '../../../shared/form/problems';
import type { HeartbeatDraft } from './heartbeat-draft';

interface HeartbeatFieldsProps {
  readonly draft: HeartbeatDraft;
  readonly onChange: (draft: HeartbeatDraft) => void;
  readonly problems: Problems;
}

type SecondsName = 'graceSeconds' | 'maxRunSeconds' | 'minRunSeconds';

const SECONDS: readonly (readonly [SecondsName, string, string])[] = [
  ['graceSeconds', 'Grace (seconds)', 'A later ping is a failure'],
  ['maxRunSeconds', 'Longest run (seconds)', 'A longer run is a failure'],
  ['minRunSeconds', 'Shortest run (seconds)', 'A shorter run is a failure'],
];

export function HeartbeatFields({ draft, onChange, problems }: HeartbeatFieldsProps) {
  const set = (patch: Partial<HeartbeatDraft>): void => onChange({ ...draft, ...patch });
  return (
    <>
      <Card withBorder>
        <Stack gap="sm">
          <TextInput
            label="Name"
            required
            value={draft.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            {...fieldAt(problems, 'name')}
            data-autofocus
          />
          <ScheduleFields draft={draft} onChange={onChange} problems={problems} />
          <Grid gap="sm">
            {SECONDS.map(([name, label, description]) => (
              <Grid.Col key={name} span={{ base: 12, xs: 4 }}>
                <NumberInput
                  label={label}
                  description={description}
                  value={draft[name] ?? ''}
                  onChange={(value) => set({ [name]: typeof value === 'number' ? value : null })}
                  {...fieldAt(problems, name)}
                />
              </Grid.Col>
            ))}
            {(['group', 'key'] as const).map((name) => (
              <Grid.Col key={name} span={{ base: 12, xs: 6 }}>
                <TextInput
                  label={name === 'group' ? 'Group' : 'Key'}
                  value={draft[name]}
                  onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
                  {...fieldAt(problems, name)}
                />
              </Grid.Col>
            ))}
          </Grid>
        </Stack>
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          Alerts
        </Title>
        <AlertsField
          value={draft.alerts}
          onChange={(alerts) => set({ alerts })}
          problems={problems}
        />
      </Card>
    </>
  );
}

function ScheduleFields({ draft, onChange, problems }: HeartbeatFieldsProps) {
  const set = (patch: Partial<HeartbeatDraft>): void => onChange({ ...draft, ...patch });
  return (
    <>
      <SegmentedControl
        aria-label="Schedule"
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        data={[
          { value: 'every', label: 'Every so often' },
          { value: 'cron', label: 'Cron' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {draft.kind === 'every' ? (
        <NumberInput
          label="A ping every (seconds)"
          value={draft.everySeconds ?? ''}
          onChange={(value) => set({ everySeconds: typeof value === 'number' ? value : null })}
          {...fieldAt(problems, 'schedule.everySeconds')}
        />
      ) : (
        <Grid gap="sm">
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <TextInput
              label="Cron expression"
              description="Minute, hour, day of month, month, day of week"
              value={draft.cron}
              onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
              {...fieldAt(problems, 'schedule.cron')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <TextInput
              label="Time zone"
              description="Like Europe/Berlin"
              value={draft.timeZone}
              onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}
              {...fieldAt(problems, 'schedule.timeZone')}
            />
          </Grid.Col>
        </Grid>
      )}
    </>
  );
}
