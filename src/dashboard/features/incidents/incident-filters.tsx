/** Narrows the list of incidents to one check or a period. */
import { Group, NativeSelect } from '@mantine/core';
import { CheckSelect } from '../../shared/alerts/check-select';
import type { Search } from '../../shared/data/search';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const PERIODS = [
  { value: '', label: 'Any time', days: null },
  { value: '24h', label: 'Last 24 hours', days: 1 },
  { value: '7d', label: 'Last 7 days', days: 7 },
  { value: '30d', label: 'Last 30 days', days: 30 },
  { value: '90d', label: 'Last 90 days', days: 90 },
] as const;

/** Rounded down to a full minute, so that the list's path changes at most once a minute. */
export function findBeginning(period: string | undefined, nowMs: number): string | undefined {
  const days = PERIODS.find(({ value }) => value === period)?.days ?? null;
  if (days === null) return undefined;
  return new Date(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - days * DAY_MS).toISOString();
}

interface IncidentFiltersProps {
  readonly search: Search;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

export function IncidentFilters({ search, onChange }: IncidentFiltersProps) {
  return (
    <Group gap="sm" mb="md" align="flex-end">
      <CheckSelect
        label="Monitor or scenario"
        placeholder="All"
        value={search['resourceId'] ?? null}
        onChange={(id) => onChange({ resourceId: id ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear monitor or scenario' }}
        w={280}
      />
      <NativeSelect
        label="Opened"
        data={PERIODS.map(({ value, label }) => ({ value, label }))}
        value={search['period'] ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ period: currentTarget.value === '' ? undefined : currentTarget.value })
        }
      />
    </Group>
  );
}
