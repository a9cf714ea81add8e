/** Creates a probe key, for a new region or for another probe of a region. */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewProbeKey } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { TEXT } from './strings';

interface ProbeKeyFormProps {
  /** Empty for a new region. */
  readonly region: string;
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewProbeKey | null) => void;
}

export function ProbeKeyForm({ region: given, onClose }: ProbeKeyFormProps) {
  const [region, setRegion] = useState(given);
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useChange<NewProbeKey>(['/v1/probe-keys']);
  const save = (): void => {
    const body = { region, name };
    mutate({ method: 'POST', path: '/v1/probe-keys', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={given === '' ? TEXT.addRegion : `${TEXT.addProbe} to ${given}`}
      problem={error}
      action={TEXT.create}
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <Text size="sm">You get a key for one probe, and the command that starts this probe.</Text>
      {given === '' && (
        <TextInput
          label="Region"
          description="A short name, like eu-north."
          required
          data-autofocus
          maxLength={32}
          value={region}
          onChange={({ currentTarget }) => setRegion(currentTarget.value)}
          error={faultAt(error, 'region')}
        />
      )}
      <TextInput
        label="Name of the probe"
        description="Where it runs, for example “rack 4”."
        required
        {...(given === '' ? {} : { 'data-autofocus': true })}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultAt(error, 'name')}
      />
    </FormDialog>
  );
}
