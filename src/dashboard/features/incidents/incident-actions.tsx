import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconUserCheck, IconUserX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { SNOOZED, SnoozeHour } from '../../shared/actions/snooze-hour';
import { useAcknowledge } from '../../shared/actions/use-acknowledge';
import type { Incident } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { notify } from '../../shared/ui/notify';
import { TEXT } from './strings';

interface ActionsProps {
  readonly incident: Incident;
  readonly path: string;
}

export function IncidentActions({ incident, path }: ActionsProps) {
  const { id, resourceName: name, state, acknowledgedAt, snoozedUntil } = incident;
  const [isSnoozing, setIsSnoozing] = useState(false);
  const { acknowledge, unacknowledge, isPending } = useAcknowledge();
  const isOpen = state !== 'resolved';
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  // Undo appears at the position of "Acknowledge", so that the keyboard focus stays on the button.
  const undo = (word: string): ReactNode => (
    <Button
      variant="default"
      onClick={() => unacknowledge({ id, name })}
      loading={isPending}
      leftSection={<IconUserX size={16} aria-hidden />}
    >
      {word}
    </Button>
  );
  return (
    <>
      {isOpen && acknowledgedAt === null && (
        <Button
          onClick={() => acknowledge({ id, name, isSnoozed })}
          loading={isPending}
          leftSection={<IconUserCheck size={16} aria-hidden />}
        >
          Acknowledge
        </Button>
      )}
      {isOpen && acknowledgedAt !== null && undo('Undo acknowledgement')}
      {isOpen && (
        <>
          <SnoozeHour incidentId={id} />
          <Button variant="subtle" onClick={() => setIsSnoozing(true)}>
            {TEXT.snoozeMore}
          </Button>
        </>
      )}
      {isOpen && acknowledgedAt === null && isSnoozed && undo('End snooze')}
      {isSnoozing && <SnoozeForm path={path} onClose={() => setIsSnoozing(false)} />}
    </>
  );
}

const MINUTES = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '1 week' },
];

interface SnoozeFormProps {
  readonly path: string;
  readonly onClose: () => void;
}

function SnoozeForm({ path, onClose }: SnoozeFormProps) {
  const [minutes, setMinutes] = useState('60');
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useChange(['/v1/incidents']);
  const send = (): void => {
    mutate(
      { method: 'POST', path: `${path}/snooze`, body: { minutes: Number(minutes), reason } },
      {
        onSuccess: () => {
          notify(SNOOZED);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={TEXT.snooze}
      problem={error}
      action={TEXT.snooze}
      isPending={isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <NativeSelect
        label="Send nothing for"
        data={MINUTES}
        value={minutes}
        onChange={({ currentTarget }) => setMinutes(currentTarget.value)}
      />
      <TextInput
        label="Reason"
        description="Optional"
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={faultAt(error, 'reason')}
      />
    </FormDialog>
  );
}
