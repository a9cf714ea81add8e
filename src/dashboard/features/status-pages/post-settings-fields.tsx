/** The settings for posts on a page: draft posts from incidents, and the templates for posts. */
import { Fieldset, Group, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { NumberField } from '../../shared/form/fields/number-field';
import { AddRow } from '../../shared/form/rows/add-row';
import { SmallButton } from '../../shared/ui/small-button';
import { newTemplate, type PostSettingsDraft, type TemplateDraft } from './post-settings-draft';

const MINUTES_MAX = 1_440;
const TITLE_MAX = 200;
const TEXT_MAX = 10_000;

const USES = [
  { value: 'manual', label: 'Picked by hand' },
  { value: 'opened', label: 'Draft when an incident opens' },
  { value: 'resolved', label: 'Draft when it is resolved' },
] as const;

interface PostSettingsProps {
  readonly posts: PostSettingsDraft;
  readonly onChange: (posts: PostSettingsDraft) => void;
  readonly findFault: (field: string) => string | null;
}

export function PostSettingsFields({ posts, onChange, findFault }: PostSettingsProps) {
  const { drafts, autoPublishAfterMinutes, maintenance, templates } = posts;
  const withTemplate = (template: TemplateDraft, changed: TemplateDraft | null) =>
    onChange({
      ...posts,
      templates: templates.flatMap((other) => (other === template ? (changed ?? []) : other)),
    });
  return (
    <Stack gap="sm">
      <Switch
        label="Draft a post when an incident opens"
        description="For incidents on items of this page. Only members of this account see drafts."
        checked={drafts}
        onChange={({ currentTarget }) => onChange({ ...posts, drafts: currentTarget.checked })}
      />
      <NumberField
        label="Publish drafts after (minutes)"
        description="Empty: drafts wait for someone to publish them."
        min={1}
        max={MINUTES_MAX}
        maw={280}
        disabled={!drafts}
        value={autoPublishAfterMinutes}
        onValue={(minutes) => onChange({ ...posts, autoPublishAfterMinutes: minutes })}
        error={findFault('posts.autoPublishAfterMinutes')}
      />
      <Switch
        label="Post maintenance windows of items"
        description="A day before, at start, at end, and when they are moved or cancelled. Visitors see it at once."
        checked={maintenance}
        onChange={({ currentTarget }) => onChange({ ...posts, maintenance: currentTarget.checked })}
      />
      {templates.map((template, at) => (
        <TemplateFields
          key={template.rowId}
          template={template}
          number={at + 1}
          onChange={(changed) => withTemplate(template, changed)}
          findFault={(field) => findFault(`posts.templates[${at}].${field}`)}
        />
      ))}
      <AddRow
        rows={templates}
        newRow={newTemplate}
        onChange={(rows) => onChange({ ...posts, templates: rows })}
      >
        Add template
      </AddRow>
    </Stack>
  );
}

interface TemplateFieldsProps {
  readonly template: TemplateDraft;
  readonly number: number;
  /** Called with null to remove the template. */
  readonly onChange: (template: TemplateDraft | null) => void;
  readonly findFault: (field: string) => string | null;
}

function TemplateFields({ template, number, onChange, findFault }: TemplateFieldsProps) {
  const { rowId, name, use, title, text } = template;
  const change = (patch: Partial<TemplateDraft>) => onChange({ ...template, ...patch });
  return (
    <Fieldset legend={`Template ${number}`} data-row-id={rowId}>
      <Stack gap="xs">
        <TextInput
          label="Template name"
          required
          maxLength={TITLE_MAX}
          value={name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={findFault('name')}
        />
        <NativeSelect
          label="Used for"
          data={[...USES]}
          value={use}
          onChange={({ currentTarget: { value } }) =>
            change({ use: USES.find((known) => known.value === value)?.value ?? 'manual' })
          }
          error={findFault('use')}
        />
        <TextInput
          label="Post title"
          required
          description="{{items}} stands for the names of the affected items."
          maxLength={TITLE_MAX}
          value={title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          error={findFault('title')}
        />
        <Textarea
          label="Post text"
          required
          description="Supports Markdown."
          maxLength={TEXT_MAX}
          autosize
          minRows={2}
          value={text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          error={findFault('text')}
        />
        <Group>
          <SmallButton onClick={() => onChange(null)}>Remove template {number}</SmallButton>
        </Group>
      </Stack>
    </Fieldset>
  );
}
