/** The regions that a check runs in. */
import { MultiSelect } from '@mantine/core';
import type { Page, Region } from '../../data/api-types';
import { useRead } from '../../data/queries';

interface RegionsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly problem: string | undefined;
  /** Explains what it means to choose no region. */
  readonly placeholder: string;
}

export function RegionsField({ value, onChange, problem, placeholder }: RegionsFieldProps) {
  const known = useRegionIds();
  return (
    <MultiSelect
      label="Regions"
      placeholder={value.length === 0 ? placeholder : ''}
      data={[...new Set([...known, ...value])]}
      value={[...value]}
      onChange={onChange}
      error={problem}
      data-path="regions"
      clearable
      clearButtonProps={{ 'aria-label': 'Clear regions' }}
    />
  );
}

/** Lists all existing regions. Regions with a running probe come first. */
export function useRegionIds(): readonly string[] {
  const { data } = useRead<Page<Region>>('/v1/regions');
  const regions = data?.data ?? [];
  return [...regions]
    .sort((a, b) => Number(b.status === 'online') - Number(a.status === 'online'))
    .map(({ id }) => id);
}
