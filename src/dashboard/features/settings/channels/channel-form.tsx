/** Creates or edits an alert channel. The service describes the fields of each channel type. */
import { Accordion, Checkbox, MultiSelect, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { defaultText } from '../../../shared/alerts/channel-usage';
import type {
  AlertChannel,
  AlertChannelTypes,
  NewAlertChannel,
  Page,
} from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { NameField } from '../../../shared/form/fields/name-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { LearnMore } from '../../../shared/ui/learn-more';
import { notify } from '../../../shared/ui/notify';
import {
  buildBody,
  buildTemplate,
  type ChannelDraft,
  createDraft,
  hasAdvanced,
} from './channel-draft';
import { ConfigFields, type ConfigFieldsProps } from './config-fields';
import { TEXT } from './strings';
import { TemplateFields, TemplatePreview } from './template-fields';
import { useChannelUsage } from './use-channel-usage';

/** An id that sorts after every real id, because the unsaved channel is the newest. */
const UNSAVED_ID = 'chn_~';

interface DefaultFieldProps {
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
}

function DefaultField({ channel, draft, onChange }: DefaultFieldProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const findUsage = useChannelUsage();
  const isFirst = data?.data.length === 0;
  const former = data?.data.find(
    ({ id, type, isDefault }) => type === draft.type && isDefault && id !== channel?.id,
  );
  const wanted = { id: channel?.id ?? UNSAVED_ID, type: draft.type, isDefault: false };
  const usage = findUsage === null ? '' : defaultText(findUsage(wanted));
  const replaced = former === undefined ? '' : ` It replaces “${former.name}”.`;
  return (
    <Checkbox
      label="Use by default"
      description={isFirst ? 'The first channel is a default.' : `${usage}${replaced}`}
      checked={draft.isDefault || isFirst}
      disabled={isFirst}
      onChange={({ currentTarget }) => onChange({ isDefault: currentTarget.checked })}
    />
  );
}

const SECTION = 'advanced';
/** Advanced fields that every channel type has. A channel type may have further advanced fields. */
const EVERYWHERE = ['template', 'onlyKinds', 'fallback', 'fallbackAfterMinutes'];

/**
 * Fields that most channels do not need. They are collapsed until the user opens them, or until one of them is set or
 * invalid. `fields` contains all fields of the channel type.
 */
function AdvancedFields(props: ConfigFieldsProps) {
  const { draft, onChange, channel, fields, refusal } = props;
  const [isUnfolded, setIsUnfolded] = useState(() => hasAdvanced(draft, channel, fields));
  const own = fields.filter(({ isAdvanced }) => isAdvanced);
  const names = [...EVERYWHERE, ...own.map(({ name }) => name)];
  const hasFault = names.some((name) => faultAt(refusal, name) !== null);
  const template = buildTemplate(draft, fields, channel);
  return (
    <Accordion
      variant="contained"
      keepMounted={false}
      value={isUnfolded || hasFault ? SECTION : null}
      onChange={(value) => setIsUnfolded(value === SECTION)}
    >
      <Accordion.Item value={SECTION}>
        <Accordion.Control>Advanced</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            <ConfigFields {...props} fields={own} />
            {!fields.some(({ name }) => name === 'template') && (
              <TemplateFields
                draft={draft}
                onChange={onChange}
                fault={faultAt(refusal, 'template')}
              />
            )}
            {template !== null && <TemplatePreview type={draft.type} template={template} />}
            <RuleFields
              draft={draft}
              onChange={onChange}
              channel={channel}
              fault={(field) => faultAt(refusal, field)}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

interface ChannelFormProps {
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  /** Called with the saved channel; null when the form was cancelled. */
  readonly onClose: (saved: NewAlertChannel | null) => void;
}

const WITHOUT_MAIL = 'webhook';

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const { emailEnabled, user } = useSession();
  const [draft, setDraft] = useState(() =>
    channel === null ? newDraft(emailEnabled, user?.email ?? null) : createDraft(channel),
  );
  const { data: types } = useRead<AlertChannelTypes>('/v1/alert-channels/types');
  const { mutate, isPending, error } = useChange<NewAlertChannel>(['/v1/alert-channels']);
  const change = (patch: Partial<ChannelDraft>): void => setDraft({ ...draft, ...patch });
  const chosen = types?.data.find(({ type }) => type === draft.type);
  const fields = chosen?.fields ?? [];
  // A new channel without a name is named after its type.
  const otherwise = channel === null ? (chosen?.label ?? '') : '';
  const save = (): void => {
    const onSuccess = (saved: NewAlertChannel): void => {
      notify('Channel saved.');
      onClose(saved);
    };
    const name = draft.name.trim() === '' ? otherwise : draft.name;
    mutate(buildRequest(channel, buildBody({ ...draft, name }, channel, fields)), { onSuccess });
  };
  const bound = { draft, onChange: change, channel, refusal: error };
  return (
    <FormDialog
      title={channel === null ? TEXT.add : 'Edit channel'}
      draft={draft}
      problem={error}
      isPending={isPending}
      isDisabled={chosen === undefined}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      {channel === null && (
        <Select
          label="Type"
          description={draft.type === 'email' && emailEnabled ? undefined : chosen?.about}
          searchable
          allowDeselect={false}
          value={draft.type}
          data={(types?.data ?? []).map(({ type, label }) => ({ value: type, label }))}
          onChange={(_value, option) => {
            const next = types?.data.find(({ type }) => type === option?.value);
            if (next !== undefined) change({ type: next.type, values: {} });
          }}
        />
      )}
      <NameField
        value={draft.name}
        placeholder={otherwise}
        required={otherwise === ''}
        onChange={(name) => change({ name })}
        error={faultAt(error, 'name')}
      />
      <ConfigFields {...bound} fields={fields.filter(({ isAdvanced }) => !isAdvanced)} />
      {channel?.isDefault !== true && (
        <DefaultField channel={channel} draft={draft} onChange={change} />
      )}
      {chosen !== undefined && <AdvancedFields key={draft.type} {...bound} fields={fields} />}
      {chosen === undefined && types !== undefined && (
        <Text c="red">This type of channel is not known here. Reload the page.</Text>
      )}
      <LearnMore fieldsAt={`channel.${draft.type}`} about="this type of channel" />
    </FormDialog>
  );
}

/**
 * Creates the draft of an email channel to the signed-in user. Without a mail server, creates the draft of a webhook.
 */
function newDraft(emailEnabled: boolean, email: string | null): ChannelDraft {
  const draft = createDraft(null);
  if (!emailEnabled) return { ...draft, type: WITHOUT_MAIL };
  return email === null ? draft : { ...draft, values: { emails: [email] } };
}

function buildRequest(channel: AlertChannel | null, body: Readonly<Record<string, unknown>>) {
  if (channel === null) return { method: 'POST', path: '/v1/alert-channels', body } as const;
  const { id, version } = channel;
  return {
    method: 'PATCH',
    path: `/v1/alert-channels/${id}`,
    body,
    ifVersion: version,
  } as const;
}

const KINDS = ['failure', 'recovery', 'degraded', 'reminder', 'flapping', 'certificate'];

interface RuleFieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  /** null for a new channel. */
  readonly channel: AlertChannel | null;
  readonly fault: (field: string) => string | null;
}

/** Edits which alerts the channel gets, and its fallback channel. */
function RuleFields({ draft, onChange, channel, fault }: RuleFieldsProps) {
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const others = (data?.data ?? []).filter(({ id }) => id !== channel?.id);
  return (
    <>
      <MultiSelect
        label="Send only"
        placeholder={draft.onlyKinds.length === 0 ? 'All alerts' : ''}
        data={KINDS}
        value={[...draft.onlyKinds]}
        onChange={(onlyKinds) => onChange({ onlyKinds })}
        error={fault('onlyKinds')}
      />
      <Select
        label="Fallback"
        description="Gets the alerts that this channel fails to deliver."
        clearable
        data={others.map(({ id, key, name }) => ({ value: key ?? id, label: name }))}
        value={draft.fallback === '' ? null : draft.fallback}
        onChange={(fallback) => onChange({ fallback: fallback ?? '' })}
        error={fault('fallback')}
      />
      {draft.fallback !== '' && (
        <NumberInput
          label="After (minutes)"
          min={10}
          max={1_440}
          value={draft.fallbackAfterMinutes}
          onChange={(next) => onChange({ fallbackAfterMinutes: Number(next) })}
          error={fault('fallbackAfterMinutes')}
        />
      )}
    </>
  );
}
