/** Creates a probe key. */
import { Autocomplete, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewProbeKey, Page, Region } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { TEXT } from './strings';

interface ProbeKeyFormProps {
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewProbeKey | null) => void;
}

export function ProbeKeyForm({ onClose }: ProbeKeyFormProps) {
  const [region, setRegion] = useState('');
  const [name, setName] = useState('');
  const { data: regions } = useRead<Page<Region>>('/v1/regions');
  const { mutate, isPending, error } = useChange<NewProbeKey>(['/v1/probe-keys']);
  const save = (): void => {
    const body = { region, name };
    mutate({ method: 'POST', path: '/v1/probe-keys', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action={TEXT.add}
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <Autocomplete
        label="Region"
        description="A region of the list, or a new one like eu-north."
        required
        data-autofocus
        // Focused when the dialog opens: an open list would cover the fields below.
        openOnFocus={false}
        maxLength={32}
        data={regions?.data.map(({ id }) => id) ?? []}
        value={region}
        onChange={setRegion}
        error={faultAt(error, 'region')}
      />
      <TextInput
        label="Name"
        description="What the probe is called here, for example “rack 4”."
        required
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultAt(error, 'name')}
      />
    </FormDialog>
  );
}
