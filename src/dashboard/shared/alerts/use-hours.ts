/** Returns the hours of the account as options, identified by key. The chosen hours are always one of the options. */
import type { Hours, Page } from '../data/api-types';
import { useRead } from '../data/queries';

interface HoursOption {
  readonly value: string;
  readonly label: string;
}

export function useHours(chosen: string | null): readonly HoursOption[] {
  const { data } = useRead<Page<Hours>>('/v1/hours?limit=100');
  const known = (data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }));
  const isKnown = chosen === null || known.some(({ value }) => value === chosen);
  return isKnown ? known : [...known, { value: chosen, label: chosen }];
}
