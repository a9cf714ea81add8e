/** The fields of a scenario apart from its steps. */
import {
  Accordion,
  Card,
  Grid,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { AlertsField, NEW_ALERTS } from '../../../shared/form/alerts-field';
import { IntervalField } from '../../../shared/form/interval-field';
import { fieldAt, fieldWithin, type Problems, problemAt } from '../../../shared/form/problems';
import { RegionsField } from '../../../shared/form/regions-field';
import type { VariableRow } from '../../../shared/form/rows';
import { VariablesField } from '../../../shared/form/variables-field';
import classes from '../builder/builder.module.css';
import { BUILDER_TEXT } from '../builder/builder-strings';
import type { Draft } from '../draft/draft';
import { NumberField } from './number-field';

interface PartProps {
  readonly draft: Draft;
  readonly onChange: (patch: Partial<Draft>) => void;
  readonly problems: Problems;
}

export function GeneralFields({ draft, onChange, problems }: PartProps) {
  return (
    <Card withBorder>
      <Grid>
        <Grid.Col span={{ base: 12, sm: 5 }}>
          <TextInput
            label="Name"
            value={draft.name}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
            {...fieldAt(problems, 'name')}
            maxLength={200}
            withAsterisk
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 3.5 }}>
          <IntervalField
            value={draft.interval}
            onChange={(interval) => onChange({ interval })}
            problem={problemAt(problems, 'interval')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 3.5 }}>
          <RegionsField
            value={draft.regions}
            onChange={(regions) => onChange({ regions })}
            problem={fieldWithin(problems, 'regions').error}
            placeholder="Default region"
          />
        </Grid.Col>
      </Grid>
    </Card>
  );
}

interface VariablesPartProps extends Omit<PartProps, 'onChange'> {
  readonly onChange: (variables: readonly VariableRow[]) => void;
}

export function VariablesPart({ draft, onChange, problems }: VariablesPartProps) {
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {BUILDER_TEXT.variables}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {BUILDER_TEXT.variablesHint}
      </Text>
      <VariablesField value={draft.variables} onChange={onChange} problems={problems} />
    </Card>
  );
}

export function MoreFields({ draft, onChange, problems }: PartProps) {
  return (
    <Accordion variant="contained" order={2} multiple className={classes['folded'] ?? ''}>
      <Accordion.Item value="alerts">
        <Accordion.Control data-path="alerts">{BUILDER_TEXT.alerts}</Accordion.Control>
        <Accordion.Panel>
          <AlertsField
            value={draft.alerts ?? NEW_ALERTS}
            onChange={(alerts) => onChange({ alerts })}
            problems={problems}
          />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="more">
        <Accordion.Control data-holds="onFailure cookies timeoutSeconds group tags key">
          {BUILDER_TEXT.more}
        </Accordion.Control>
        <Accordion.Panel>
          <Advanced draft={draft} onChange={onChange} problems={problems} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Advanced({ draft, onChange, problems }: PartProps) {
  return (
    <Stack>
      <Select
        label="After a step has failed"
        data={[
          { value: 'stop', label: 'Skip the rest, except steps that always run' },
          { value: 'continue', label: 'Continue with the next step' },
        ]}
        value={draft.onFailure}
        onChange={(next) => onChange({ onFailure: next === 'continue' ? 'continue' : 'stop' })}
        allowDeselect={false}
      />
      <Switch
        label="Keep cookies between steps"
        description="A run signs in once and stays signed in"
        checked={draft.cookies}
        onChange={({ currentTarget }) => onChange({ cookies: currentTarget.checked })}
      />
      <NumberField
        label="Time limit of a run (seconds)"
        description="Waiting time is not counted"
        placeholder="300"
        value={draft.timeoutSeconds}
        onValue={(timeoutSeconds) => onChange({ timeoutSeconds })}
        {...fieldAt(problems, 'timeoutSeconds')}
      />
      <TextInput
        label="Group"
        value={draft.group}
        onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
        {...fieldAt(problems, 'group')}
      />
      <TagsInput
        label="Tags"
        value={[...draft.tags]}
        onChange={(tags) => onChange({ tags })}
        {...fieldWithin(problems, 'tags')}
        acceptValueOnBlur
      />
      <TextInput
        label="Key"
        description="Identifier in configuration files: lower-case letters, digits, dots, _ and -"
        value={draft.key}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
        {...fieldAt(problems, 'key')}
      />
    </Stack>
  );
}
