/** Creates or edits an alert channel. The service describes the fields of each channel type. */
import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import type {
  AlertChannel,
  AlertChannelTypes,
  NewAlertChannel,
} from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useSession } from '../../../shared/data/session';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { LearnMore } from '../../../shared/ui/learn-more';
import { notify } from '../../../shared/ui/notify';
import { AdvancedFields } from './advanced-fields';
import { buildBody, type ChannelDraft, createDraft } from './channel-draft';
import { ConfigFields } from './config-fields';
import { DefaultField } from './default-field';
import { TEXT } from './strings';

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

/** Defaults to an email to the signed-in user, or to a webhook when there is no mail server. */
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
