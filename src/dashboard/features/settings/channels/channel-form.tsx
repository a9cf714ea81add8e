/** Makes or changes an alert channel. The fields of each type are those that the service describes. */
import { Checkbox, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type {
  AlertChannel,
  AlertChannelTypes,
  NewAlertChannel,
} from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useUnsaved } from '../../../shared/form/unsaved';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { notify } from '../../../shared/ui/notify';
import { bodyOf, type ChannelDraft, draftOf, templateOf, typedOf } from './channel-draft';
import { ConfigField } from './config-field';
import { RuleFields } from './rule-fields';
import { TEXT } from './strings';
import { TemplateFields, TemplatePreview } from './template-fields';

interface ChannelFormProps {
  /** null for a new one. */
  readonly channel: AlertChannel | null;
  /** With what was saved; null when it was given up. */
  readonly onClose: (saved: NewAlertChannel | null) => void;
}

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const [draft, setDraft] = useState(() => draftOf(channel));
  const { data: types } = useRead<AlertChannelTypes>('/v1/alert-channels/types');
  const { mutate, isPending, error } = useChange<NewAlertChannel>(['/v1/alert-channels']);
  const { leave, isAsking } = useUnsaved(draft);
  const close = (): void => leave(() => onClose(null));
  const change = (patch: Partial<ChannelDraft>): void => setDraft({ ...draft, ...patch });
  const chosen = types?.data.find(({ type }) => type === draft.type);
  const fields = chosen?.fields ?? [];
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const onSuccess = (saved: NewAlertChannel): void => {
      notify(TEXT.saved);
      onClose(saved);
    };
    mutate(requestOf(channel, bodyOf(draft, channel, fields)), { onSuccess });
  };
  const template = templateOf(draft, fields, channel);
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={!isAsking}
      title={channel === null ? TEXT.add : TEXT.edit}
    >
      <form onSubmit={save}>
        <Stack>
          {channel === null && (
            <Select
              label={TEXT.type}
              description={chosen?.about}
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
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={200}
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={faultAt(error, 'name')}
          />
          {fields.map((field) => (
            <ConfigField
              key={field.name}
              field={field}
              value={typedOf(field, draft, channel)}
              onChange={(value) => change({ values: { ...draft.values, [field.name]: value } })}
              isKept={channel !== null}
              fault={faultAt(error, field.name)}
            />
          ))}
          {fields.length > 0 && !fields.some(({ name }) => name === 'template') && (
            <TemplateFields draft={draft} onChange={change} fault={faultAt(error, 'template')} />
          )}
          {template !== null && <TemplatePreview type={draft.type} template={template} />}
          <RuleFields
            draft={draft}
            onChange={change}
            channel={channel}
            fault={(field) => faultAt(error, field)}
          />
          {channel?.isDefault !== true && (
            <Checkbox
              label={TEXT.isDefault}
              checked={draft.isDefault}
              onChange={({ currentTarget }) => change({ isDefault: currentTarget.checked })}
            />
          )}
          {chosen === undefined && types !== undefined && <Text c="red">{TEXT.unknownType}</Text>}
          <FormFoot
            problem={error}
            isPending={isPending}
            isDisabled={chosen === undefined}
            onCancel={close}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function requestOf(channel: AlertChannel | null, body: Readonly<Record<string, unknown>>) {
  if (channel === null) return { method: 'POST', path: '/v1/alert-channels', body } as const;
  const { id, version } = channel;
  return {
    method: 'PATCH',
    path: `/v1/alert-channels/${id}`,
    body,
    ifVersion: version,
  } as const;
}
