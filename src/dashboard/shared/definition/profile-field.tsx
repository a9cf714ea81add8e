/** The profile of a definition. Renders nothing if the account has no profiles. */
import { Select } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems';
import type { Layering } from './use-layers';

interface ProfileFieldProps {
  readonly layering: Layering;
  readonly problems: Problems;
}

export function ProfileField({ layering, problems }: ProfileFieldProps) {
  const { profiles, chosen, choose } = layering;
  if (profiles.length === 0 && chosen === null) return null;
  const known = profiles.map(({ key, name }) => ({ value: key, label: name }));
  const isKnown = chosen === null || known.some(({ value }) => value === chosen);
  return (
    <Select
      label="Profile"
      description="Gives the values of fields that are not set here"
      placeholder="None"
      data={isKnown ? known : [...known, { value: chosen, label: chosen }]}
      value={chosen}
      onChange={choose}
      clearable
      clearButtonProps={{ 'aria-label': 'Use no profile' }}
      maw={400}
      {...fieldAt(problems, 'profile')}
    />
  );
}
