/** Inputs that the forms of monitors, heartbeats and scenarios share. */
import { Card, Grid, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AlertsField } from '../alerts/alerts-field';
import type { Routed } from '../alerts/routed-note';
import { IntervalField } from '../form/fields/interval-field';
import { RegionsField } from '../form/fields/regions-field';
import { fieldAt, fieldWithin, type Problems, problemAt } from '../form/problems/problems';
import { Heading } from '../ui/heading';
import { LearnMore } from '../ui/learn-more';
import type { DefinitionDraft, ScheduledDraft } from './definition-draft';
import { MoreAlerts } from './more-alerts';
import { OriginNote } from './origin-note';
import { useEnvironmentOptions, useInheritedNames } from './use-environments';

/** The props of inputs. `set` changes the given fields of the draft. */
export interface FieldsProps<Draft> {
  readonly draft: Draft;
  readonly set: (patch: Partial<Draft>) => void;
  readonly problems: Problems;
}

type SharedProps = FieldsProps<DefinitionDraft>;

interface NameFieldProps extends SharedProps {
  /** The name that the check gets if the user types none, or a text that says where the name comes from. */
  readonly otherwise?: string;
}

/** The input of the name. The name is required unless `otherwise` is set. */
export function NameField({ draft, set, problems, otherwise = '' }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      placeholder={otherwise}
      required={otherwise === ''}
      maxLength={200}
      value={draft.name}
      onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      {...fieldAt(problems, 'name')}
      data-autofocus
    />
  );
}

interface GroupAndTagsProps extends SharedProps {
  /** Explains what an empty group means. */
  readonly noGroup: string;
}

export function GroupAndTags({ draft, set, problems, noGroup }: GroupAndTagsProps) {
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, xs: 6 }}>
        <TextInput
          label="Group"
          description="Use / to nest: shop/checkout."
          placeholder={noGroup}
          value={draft.group}
          onChange={({ currentTarget }) => set({ group: currentTarget.value })}
          {...fieldAt(problems, 'group')}
        />
        <OriginNote field="group" />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 6 }}>
        <TagsInput
          label="Tags"
          description="Press Enter after each."
          value={[...draft.tags]}
          onChange={(tags) => set({ tags })}
          {...fieldWithin(problems, 'tags')}
          acceptValueOnBlur
        />
        <OriginNote field="tags" />
      </Grid.Col>
    </Grid>
  );
}

export function KeyField({ draft, set, problems }: SharedProps) {
  return (
    <TextInput
      label="Key"
      description="Identifier in configuration files: lower-case letters, digits, dots, _ and -."
      value={draft.key}
      onChange={({ currentTarget }) => set({ key: currentTarget.value })}
      {...fieldAt(problems, 'key')}
    />
  );
}

interface AlertsInputProps extends SharedProps, Pick<Routed, 'type' | 'url'> {}

export function AlertsInput({ draft, set, problems, type, url }: AlertsInputProps) {
  const { group, tags } = draft;
  return (
    <Stack gap="sm">
      <AlertsField
        routed={{ type, url, group, tags }}
        value={draft.alerts}
        onChange={(alerts) => set({ alerts })}
        problems={problems}
        isWithoutReminder
      />
      <OriginNote field="alerts" />
      <MoreAlerts draft={draft} set={set} problems={problems} />
    </Stack>
  );
}

interface ScheduleFieldsProps extends FieldsProps<ScheduledDraft> {
  /** Explains what it means to choose no region. */
  readonly noRegions: string;
}

export function ScheduleFields({ draft, set, problems, noRegions }: ScheduleFieldsProps) {
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, xs: 6 }}>
        <IntervalField
          value={draft.interval}
          onChange={(interval) => set({ interval })}
          problem={problemAt(problems, 'interval')}
        />
        <OriginNote field="interval" />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 6 }}>
        <RegionsField
          value={draft.regions}
          onChange={(regions) => set({ regions })}
          problem={fieldWithin(problems, 'regions').error}
          placeholder={noRegions}
        />
        <OriginNote field="regions" />
      </Grid.Col>
      <EnvironmentField
        value={draft.environment}
        onChange={(environment) => set({ environment })}
        problems={problems}
      />
    </Grid>
  );
}

interface SectionProps {
  readonly title: string;
  /** The anchor of the fields in `/docs/fields`, like `monitor.alerts`. */
  readonly fieldsAt?: string;
  readonly children: ReactNode;
}

export function Section({ title, fieldsAt, children }: SectionProps) {
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <Heading>{title}</Heading>
        {fieldsAt !== undefined && <LearnMore fieldsAt={fieldsAt} about={title.toLowerCase()} />}
      </Group>
      {children}
    </Card>
  );
}

interface EnvironmentFieldProps {
  /** The key of the environment. Empty for none. */
  readonly value: string;
  readonly onChange: (environment: string) => void;
  readonly problems: Problems;
}

/** The environment of a check, in a column of a grid. Renders nothing if the account has no environments. */
function EnvironmentField({ value, onChange, problems }: EnvironmentFieldProps) {
  const chosen = value === '' ? null : value;
  const options = useEnvironmentOptions(chosen);
  const names = useInheritedNames(chosen);
  if (options.length === 0) return null;
  return (
    <Grid.Col span={12}>
      <Select
        label="Environment"
        description={
          names.length === 0
            ? 'Completes the variables of the check.'
            : `Variables from outside: ${names.join(', ')}`
        }
        placeholder="None"
        data={[...options]}
        value={chosen}
        onChange={(key) => onChange(key ?? '')}
        clearable
        {...fieldAt(problems, 'environment')}
      />
    </Grid.Col>
  );
}
