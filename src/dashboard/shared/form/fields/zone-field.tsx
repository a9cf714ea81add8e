/** A time zone, found by its city or region. Accepts zones that the browser does not list. */
import { Select, type SelectProps } from '@mantine/core';
import { allZones, isZoneFound } from './time-zones';

const SHOWN_MAX = 100;

interface ZoneFieldProps extends Pick<SelectProps, 'error' | 'flex' | 'miw'> {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  /** The path by which the summary of problems finds the input. */
  readonly 'data-path'?: string;
}

export function ZoneField({ value, onChange, ...field }: ZoneFieldProps) {
  return (
    <Select
      label="Time zone"
      {...field}
      data={[...new Set([...allZones(), value])]}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      filter={({ options, search, limit }) =>
        options
          .filter((option) => 'value' in option && isZoneFound(option.value, search))
          .slice(0, limit)
      }
      nothingFoundMessage="Nothing found"
      limit={SHOWN_MAX}
      allowDeselect={false}
      searchable
    />
  );
}
