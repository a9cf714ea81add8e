/** Starts maintenance at once. */
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { MaintenanceWindow } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { notify } from '../../shared/ui/notify';
import { TEXT } from './strings';
import { TargetField } from './target-field';
import { buildTarget, EVERYTHING } from './window-draft';
import { MINUTES_MAX, ModeField, TOUCHED } from './window-form';

const MINUTES = 30;

export function NowForm({ onClose }: { readonly onClose: () => void }) {
  const [minutes, setMinutes] = useState(MINUTES);
  const [mode, setMode] = useState<MaintenanceWindow['mode']>('mute');
  const [target, setTarget] = useState(EVERYTHING);
  const { mutate, isPending, error } = useChange<MaintenanceWindow>(TOUCHED);
  const start = (): void => {
    mutate(
      {
        method: 'POST',
        path: '/v1/maintenance-windows/now',
        body: { minutes, mode, target: buildTarget(target) },
      },
      {
        onSuccess: () => {
          notify('Maintenance started.');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Maintenance now"
      problem={error}
      action="Start maintenance"
      isPending={isPending}
      onSubmit={start}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
