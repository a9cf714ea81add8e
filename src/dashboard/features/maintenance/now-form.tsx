/** Starts maintenance at once. */
import { Modal, NumberInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { MaintenanceWindow } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { faultAt } from '../../shared/text/faults';
import { FormFoot } from '../../shared/ui/form-foot';
import { notify } from '../../shared/ui/notify';
import { TEXT } from './strings';
import { TargetField } from './target-field';
import { EVERYTHING, targetOf } from './window-draft';
import { MINUTES_MAX, ModeField, TOUCHED } from './window-form';

const MINUTES = 30;

export function NowForm({ onClose }: { readonly onClose: () => void }) {
  const [minutes, setMinutes] = useState(MINUTES);
  const [mode, setMode] = useState<MaintenanceWindow['mode']>('mute');
  const [target, setTarget] = useState(EVERYTHING);
  const { mutate, isPending, error } = useChange<MaintenanceWindow>(TOUCHED);
  const start = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      {
        method: 'POST',
        path: '/v1/maintenance-windows/now',
        body: { minutes, mode, target: targetOf(target) },
      },
      {
        onSuccess: () => {
          notify(TEXT.started);
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={TEXT.nowTitle}>
      <form onSubmit={start}>
        <Stack>
          <NumberInput
            label={TEXT.minutes}
            required
            data-autofocus
            min={1}
            max={MINUTES_MAX}
            allowDecimal={false}
            value={minutes}
            onChange={(count) => setMinutes(Number(count))}
            error={faultAt(error, 'minutes')}
          />
          <ModeField value={mode} onChange={setMode} />
          <TargetField value={target} onChange={setTarget} problem={error} />
          <FormFoot problem={error} action={TEXT.start} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
