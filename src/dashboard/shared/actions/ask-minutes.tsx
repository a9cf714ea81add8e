/** Asks for the number of minutes of a pause. */
import { NumberInput, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { TEXT } from '../text/strings';
import { FormFoot } from '../ui/form-foot';
import { ACTION_TEXT } from './words';

const MINUTES_FIRST = 120;
/** The maximum: one year. */
const MINUTES_MAX = 525_600;

export function askMinutes(onChosen: (minutes: number) => void): void {
  const id = modals.open({
    title: ACTION_TEXT.pause,
    closeButtonProps: { 'aria-label': TEXT.cancel },
    children: (
      <MinutesForm
        onCancel={() => modals.close(id)}
        onChosen={(minutes) => {
          modals.close(id);
          onChosen(minutes);
        }}
      />
    ),
  });
}

interface MinutesFormProps {
  readonly onChosen: (minutes: number) => void;
  readonly onCancel: () => void;
}

function MinutesForm({ onChosen, onCancel }: MinutesFormProps) {
  const [minutes, setMinutes] = useState<number | string>(MINUTES_FIRST);
  const isGiven = typeof minutes === 'number' && minutes >= 1;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (isGiven) onChosen(minutes);
  };
  return (
    <form onSubmit={send}>
      <Stack>
        <NumberInput
          label="Minutes"
          description="It resumes automatically."
          value={minutes}
          onChange={setMinutes}
          min={1}
          max={MINUTES_MAX}
          allowDecimal={false}
          required
          data-autofocus
        />
        <FormFoot
          problem={null}
          action={ACTION_TEXT.pause}
          isPending={false}
          isDisabled={!isGiven}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
