/** Adds a subscriber to a status page. The subscriber must confirm by email, unless they have already agreed. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SUBSCRIBER_TYPES, type SubscriberType } from '../../../../contracts/letters/letters';
import type { StatusPage, Subscriber } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { TEXT } from '../strings';

const WAYS = [
  { value: 'mail', label: 'Email', field: 'Email address' },
  { value: 'webhook', label: 'Webhook', field: 'Webhook URL' },
  { value: 'slack', label: 'Slack', field: 'Incoming webhook URL' },
] as const;

interface AddSubscriberProps {
  readonly page: StatusPage;
  readonly onClose: () => void;
}

export function AddSubscriber({ page, onClose }: AddSubscriberProps) {
  const open = SUBSCRIBER_TYPES.filter((type) => page.subscribers[type]);
  const [type, setType] = useState<SubscriberType>(open[0] ?? 'mail');
  const [to, setTo] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  const path = `/v1/status-pages/${page.id}/subscribers`;
  const { mutate, isPending, error } = useChange<Subscriber>([path]);
  const save = (): void =>
    mutate(
      { method: 'POST', path, body: { type, to: to.trim(), confirmed } },
      {
        onSuccess: ({ state }) => {
          notify(state === 'active' ? 'Subscriber added.' : 'Added. We sent a link to confirm it.');
          onClose();
        },
      },
    );
  const way = WAYS.find(({ value }) => value === type) ?? WAYS[0];
  return (
    <FormDialog
      title={TEXT.addSubscriber}
      problem={error}
      action="Add"
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {open.length > 1 && (
        <NativeSelect
          label="Type"
          data={WAYS.filter(({ value }) => open.includes(value)).map(({ value, label }) => ({
            value,
            label,
          }))}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setType(open.find((each) => each === value) ?? type)
          }
        />
      )}
      <TextInput
        label={way.field}
        required
        data-autofocus
        value={to}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
        error={faultAt(error, 'to') ?? faultAt(error, 'type')}
        autoComplete="off"
      />
      {type === 'mail' && (
        <Checkbox
          label="They have agreed to get these emails"
          description="Otherwise they get a link to confirm first."
          checked={confirmed}
          onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
