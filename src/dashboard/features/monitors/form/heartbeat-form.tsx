/** The form of a heartbeat. It has no test panel, because a heartbeat sends no requests. */
import {
  Box,
  Grid,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { heartbeatOptionFields } from '../../../../schemas/heartbeat';
import {
  AlertsInput,
  type FieldsProps,
  GroupAndTags,
  KeyField,
  NameField,
  Section,
} from '../../../shared/definition/definition-fields';
import { DefinitionForm, DefinitionView } from '../../../shared/definition/definition-form';
import { NumberOptions } from '../../../shared/definition/option-inputs';
import { OriginNote } from '../../../shared/definition/origin-note';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { DurationField } from '../../../shared/form/fields/duration-field';
import { ZoneField } from '../../../shared/form/fields/zone-field';
import { fieldAt } from '../../../shared/form/problems/problems';
import { RowList } from '../../../shared/form/rows/row-list';
import {
  HEARTBEAT,
  HEARTBEAT_OPTION_TEXTS,
  type HeartbeatDraft,
  newFailOnRow,
} from './heartbeat-draft';

interface HeartbeatFormProps {
  readonly initial: HeartbeatDraft;
  /** null for a new heartbeat. */
  readonly saved: Saved | null;
}

export function HeartbeatForm({ initial, saved }: HeartbeatFormProps) {
  const definition = useDefinition(HEARTBEAT, initial, saved);
  const { draft, change, problems } = definition;
  return (
    <Box maw={800}>
      <DefinitionForm definition={definition}>
        <DefinitionView definition={definition}>
          <HeartbeatFields
            draft={draft}
            set={(patch) => change({ ...draft, ...patch })}
            problems={problems}
          />
        </DefinitionView>
      </DefinitionForm>
    </Box>
  );
}

type HeartbeatFieldsProps = FieldsProps<HeartbeatDraft>;

/** The fields of a heartbeat: its name, when its job must report, and what counts as a failure. */
function HeartbeatFields(props: HeartbeatFieldsProps) {
  const { draft, set, problems } = props;
  return (
    <Stack>
      <Section title="Schedule" fieldsAt="heartbeat.schedule">
        <Stack gap="sm">
          <NameField {...props} />
          <ScheduleInputs {...props} />
          <OriginNote field="schedule" />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <NumberOptions
              fields={heartbeatOptionFields}
              texts={HEARTBEAT_OPTION_TEXTS}
              value={draft}
              onChange={set}
              problems={problems}
            />
          </SimpleGrid>
        </Stack>
      </Section>
      <Section title="Failures in the output" fieldsAt="heartbeat.failOn">
        <FailOnField {...props} />
        <OriginNote field="failOn" />
      </Section>
      <Section title="Alerts" fieldsAt="heartbeat.alerts">
        <AlertsInput {...props} type="heartbeat" url={null} />
      </Section>
      <Section title="Group and tags" fieldsAt="heartbeat.group">
        <Stack gap="sm">
          <GroupAndTags {...props} noGroup="heartbeats" />
          <KeyField {...props} />
        </Stack>
      </Section>
    </Stack>
  );
}

function ScheduleInputs({ draft, set, problems }: HeartbeatFieldsProps) {
  return (
    <>
      <SegmentedControl
        aria-label="Schedule"
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        data={[
          { value: 'every', label: 'Interval' },
          { value: 'cron', label: 'Cron' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {draft.kind === 'every' ? (
        <DurationField
          label="A ping every"
          value={draft.everySeconds}
          onValue={(everySeconds) => set({ everySeconds })}
          {...fieldAt(problems, 'schedule.everySeconds')}
        />
      ) : (
        <Grid gap="sm">
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <TextInput
              label="Cron expression"
              description="Minute, hour, day of month, month, day of week."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={draft.cron}
              onChange={({ currentTarget }) => set({ cron: currentTarget.value })}
              {...fieldAt(problems, 'schedule.cron')}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <ZoneField
              value={draft.timeZone}
              onChange={(timeZone) => set({ timeZone })}
              {...fieldAt(problems, 'schedule.timeZone')}
            />
          </Grid.Col>
        </Grid>
      )}
    </>
  );
}

/** Texts that make a run fail even if the job reports success, one row each. */
function FailOnField({ draft, set, problems }: HeartbeatFieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        A run fails when its output contains one of these, even if the job reports success.
      </Text>
      <RowList
        rows={draft.failOn}
        onChange={(failOn) => set({ failOn })}
        newRow={newFailOnRow}
        noun="text"
        layout="pair"
        path="failOn"
      >
        {(row, number, change) => (
          <>
            <Select
              aria-label={`Comparison of text ${number}`}
              data={[
                { value: 'contains', label: 'contains' },
                { value: 'matches', label: 'matches regex' },
              ]}
              value={row.by}
              onChange={(by) => by !== null && change({ by })}
              allowDeselect={false}
            />
            <TextInput
              aria-label={`Text ${number} of a failure`}
              placeholder="ERROR"
              value={row.text}
              onChange={({ currentTarget }) => change({ text: currentTarget.value })}
              {...fieldAt(problems, `failOn[${number - 1}].${row.by}`)}
            />
          </>
        )}
      </RowList>
    </>
  );
}
