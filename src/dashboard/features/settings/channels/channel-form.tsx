/** Makes or changes an alert channel. */
import { Checkbox, Modal, SegmentedControl, Stack, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AlertChannel, NewAlertChannel } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useUnsaved } from '../../../shared/form/unsaved';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { tell } from '../../../shared/ui/notify';
import { addressFieldOf, bodyOf, type ChannelDraft, draftOf } from './channel-draft';
import { TEXT, TYPE_WORDS } from './strings';

interface ChannelFormProps {
  /** null for a new one. */
  readonly channel: AlertChannel | null;
  /** With what was saved; null when it was given up. */
  readonly onClose: (saved: NewAlertChannel | null) => void;
}

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const [draft, setDraft] = useState(() => draftOf(channel));
  const { mutate, isPending, error } = useChange<NewAlertChannel>(['/v1/alert-channels']);
  const { leave, isAsking } = useUnsaved(draft);
  const close = (): void => leave(() => onClose(null));
  const change = (patch: Partial<ChannelDraft>): void => setDraft({ ...draft, ...patch });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const body = bodyOf(draft, channel);
    const sent =
      channel === null
        ? ({ method: 'POST', path: '/v1/alert-channels', body } as const)
        : ({
            method: 'PATCH',
            path: `/v1/alert-channels/${channel.id}`,
            body,
            ifVersion: channel.version,
          } as const);
    mutate(sent, {
      onSuccess: (saved) => {
        tell(TEXT.saved);
        onClose(saved);
      },
    });
  };
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
            <KindField value={draft.type} onChange={(type) => change({ type })} />
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
          <AddressField
            draft={draft}
            onChange={change}
            isKept={channel !== null}
            fault={faultAt(error, addressFieldOf(draft.type))}
          />
          {channel?.isDefault !== true && (
            <Checkbox
              label={TEXT.isDefault}
              checked={draft.isDefault}
              onChange={({ currentTarget }) => change({ isDefault: currentTarget.checked })}
            />
          )}
          <FormFoot problem={error} isPending={isPending} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  );
}

interface KindFieldProps {
  readonly value: ChannelDraft['type'];
  readonly onChange: (type: ChannelDraft['type']) => void;
}

function KindField({ value, onChange }: KindFieldProps) {
  return (
    <SegmentedControl
      aria-label={TEXT.type}
      value={value}
      onChange={onChange}
      data={[
        { value: 'email', label: TYPE_WORDS.email },
        { value: 'slack', label: TYPE_WORDS.slack },
        { value: 'webhook', label: TYPE_WORDS.webhook },
      ]}
    />
  );
}

interface AddressFieldProps {
  readonly draft: ChannelDraft;
  readonly onChange: (patch: Partial<ChannelDraft>) => void;
  readonly isKept: boolean;
  readonly fault: string | null;
}

function AddressField({ draft, onChange, isKept, fault }: AddressFieldProps) {
  if (draft.type === 'email') {
    return (
      <TagsInput
        label={TEXT.emails}
        description={TEXT.emailsHint}
        value={[...draft.emails]}
        onChange={(emails) => onChange({ emails })}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        error={fault}
        withAsterisk
      />
    );
  }
  const isSlack = draft.type === 'slack';
  return (
    <TextInput
      type="url"
      label={isSlack ? TEXT.slackUrl : TEXT.webhookUrl}
      description={isKept ? TEXT.keep : isSlack ? TEXT.slackHint : TEXT.webhookHint}
      value={draft.address}
      onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
      required={!isKept}
      error={fault}
      autoComplete="off"
    />
  );
}
