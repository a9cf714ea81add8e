/**
 * The form that edits fields of the selected checks. The user chooses fields, reviews the plan, applies it, and follows
 * the progress.
 */
import { Alert, List, MultiSelect, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHours } from '../../../shared/alerts/use-hours';
import { usePolicies } from '../../../shared/alerts/use-policies';
import { countWords } from '../../../shared/charts/counted';
import type { AlertChannel, Page, Rollout, RolloutPlan } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { Dialog } from '../../../shared/dialog/dialog';
import { IntervalField } from '../../../shared/form/fields/interval-field';
import { NumberField } from '../../../shared/form/fields/number-field';
import { RegionsField } from '../../../shared/form/fields/regions-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import { RolloutProgress } from '../../../shared/rollouts/rollout-progress';
import { sumUpPlan } from '../../../shared/rollouts/rollout-words';
import { ROLLOUT_TOUCHES } from '../../../shared/rollouts/use-rollout';
import {
  buildChange,
  EDITABLE,
  type EditableField,
  type FieldsDraft,
  isEditable,
  NEW_DRAFT,
} from './fields-draft';

const NAMES_SHOWN = 5;
const PROBLEMS_SHOWN = 20;

/** Shows the plan of an edit: each change with the number of its checks, and every problem. */
function PlanView({ plan }: { readonly plan: RolloutPlan }) {
  const { summary, problems } = plan;
  return (
    <Stack gap="sm">
      <Text role="status">
        {summary.change === 0
          ? 'No check changes.'
          : `${countWords(summary.change, 'check')} will change.`}
        {summary.unchanged > 0 && ` ${summary.unchanged} stay as they are.`}
      </Text>
      <List size="sm" spacing={6}>
        {sumUpPlan(plan).map(({ sentence, names }) => (
          <List.Item key={sentence}>
            <b>{countWords(names.length, 'check')}</b>: {sentence}
            <Text size="xs" c="dimmed">
              {formatNames(names)}
            </Text>
          </List.Item>
        ))}
      </List>
      {problems.length > 0 && (
        <Alert role="alert" color="red" variant="outline" title="Nothing can be changed yet">
          <List size="sm">
            {problems.slice(0, PROBLEMS_SHOWN).map(({ id, name, path, message }) => (
              <List.Item key={`${id} ${path} ${message}`}>
                <b>{name === '' ? id : name}</b>: {path} {message}
              </List.Item>
            ))}
          </List>
          {problems.length > PROBLEMS_SHOWN && `and ${problems.length - PROBLEMS_SHOWN} more`}
        </Alert>
      )}
    </Stack>
  );
}

function formatNames(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const PATH = '/v1/checks/bulk';
const FIELDS = Object.entries(EDITABLE).map(([value, label]) => ({ value, label }));

interface EditFieldsProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}

export function EditFields({ ids, onClose }: EditFieldsProps) {
  const [chosen, setChosen] = useState<readonly EditableField[]>([]);
  const [draft, setDraft] = useState(NEW_DRAFT);
  const planning = useChange<RolloutPlan>([]);
  const applying = useChange<Rollout>(ROLLOUT_TOUCHES);
  const plan = planning.data;
  const started = applying.data;
  const body = { ids, action: 'set', ...buildChange(draft, chosen) };
  const title = `Edit ${countWords(ids.length, 'check')}`;
  if (started !== undefined)
    return (
      <Dialog title={title} onClose={onClose}>
        <RolloutProgress id={started.id} />
      </Dialog>
    );
  if (plan !== undefined)
    return (
      <FormDialog
        title={title}
        problem={applying.error}
        action="Apply"
        isPending={applying.isPending}
        isDisabled={plan.problems.length > 0 || plan.summary.change === 0}
        onSubmit={() => applying.mutate({ method: 'POST', path: PATH, body })}
        onClose={planning.reset}
      >
        <PlanView plan={plan} />
      </FormDialog>
    );
  return (
    <FormDialog
      title={title}
      problem={planning.error}
      action="Show plan"
      isPending={planning.isPending}
      isDisabled={chosen.length === 0}
      isUnchecked
      onSubmit={() =>
        planning.mutate({ method: 'POST', path: PATH, body: { ...body, dryRun: true } })
      }
      onClose={onClose}
    >
      <MultiSelect
        label="Fields to change"
        data={FIELDS}
        value={[...chosen]}
        onChange={(names) => setChosen(names.filter(isEditable))}
        data-autofocus
      />
      {chosen.map((field) => (
        <FieldInput
          key={field}
          field={field}
          draft={draft}
          onChange={(patch) => setDraft((before) => ({ ...before, ...patch }))}
        />
      ))}
      {chosen.length > 0 && (
        <Text size="sm" c="dimmed">
          An empty field returns to its default. Nothing changes before you have seen the plan.
        </Text>
      )}
    </FormDialog>
  );
}

interface FieldInputProps {
  readonly field: EditableField;
  readonly draft: FieldsDraft;
  readonly onChange: (patch: Partial<FieldsDraft>) => void;
}

/** An input for each field that was chosen for editing. */
function FieldInput({ field, draft, onChange }: FieldInputProps) {
  switch (field) {
    case 'interval':
      return (
        <IntervalField
          value={draft.interval}
          onChange={(interval) => onChange({ interval })}
          problem={undefined}
        />
      );
    case 'regions':
      return (
        <RegionsField
          value={draft.regions}
          onChange={(regions) => onChange({ regions })}
          problem={undefined}
          placeholder="Default"
        />
      );
    case 'retries':
    case 'timeoutMs':
      return (
        <NumberField
          label={EDITABLE[field]}
          placeholder="Default"
          value={draft[field]}
          onValue={(value) => onChange({ [field]: value })}
        />
      );
    case 'channels':
      return <ChannelsInput draft={draft} onChange={onChange} />;
    case 'policy':
      return <PolicyInput draft={draft} onChange={onChange} />;
    case 'hours':
      return <HoursInput draft={draft} onChange={onChange} />;
    case 'group':
      return (
        <TextInput
          label={EDITABLE.group}
          description="Use / to nest: shop/eu. Leave empty to group by domain."
          value={draft.group}
          onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
          maxLength={100}
        />
      );
    case 'tags':
      return (
        <TagsInput
          label={EDITABLE.tags}
          description="These replace the tags of each check."
          value={[...draft.tags]}
          onChange={(tags) => onChange({ tags })}
          maxTags={20}
        />
      );
  }
}

type InputProps = Omit<FieldInputProps, 'field'>;

function ChannelsInput({ draft, onChange }: InputProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const channels = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <MultiSelect
      label={EDITABLE.channels}
      placeholder={draft.channels.length === 0 ? 'None' : ''}
      data={[{ value: 'default', label: 'Every default channel' }, ...channels]}
      value={[...draft.channels]}
      onChange={(chosen) => onChange({ channels: chosen })}
    />
  );
}

function PolicyInput({ draft, onChange }: InputProps) {
  return (
    <Select
      label={EDITABLE.policy}
      placeholder="None"
      data={[...usePolicies()]}
      value={draft.policy}
      onChange={(policy) => onChange({ policy })}
      clearable
    />
  );
}

function HoursInput({ draft, onChange }: InputProps) {
  return (
    <Select
      label={EDITABLE.hours}
      placeholder="Always"
      data={[...useHours(draft.hours)]}
      value={draft.hours}
      onChange={(hours) => onChange({ hours })}
      clearable
    />
  );
}
