/** Edits which hours count for availability, and whether the page shows how many checks were made. */
import { Select, Switch } from '@mantine/core';
import { useHours } from '../../shared/alerts/use-hours';
import type { PageDraft } from './page-draft';

interface OurChecksFieldsProps {
  readonly draft: Pick<PageDraft, 'hours' | 'showLedger'>;
  readonly onChange: (change: Partial<PageDraft>) => void;
}

export function OurChecksFields({ draft, onChange }: OurChecksFieldsProps) {
  const hours = useHours(draft.hours);
  return (
    <>
      <Switch
        label="Show how many checks were due and made"
        checked={draft.showLedger}
        onChange={({ currentTarget }) => onChange({ showLedger: currentTarget.checked })}
      />
      {hours.length > 0 && (
        <Select
          label="Service hours"
          description="Time outside these hours does not count toward uptime."
          placeholder="All time counts"
          data={[...hours]}
          value={draft.hours}
          onChange={(chosen) => onChange({ hours: chosen })}
          clearable
        />
      )}
    </>
  );
}
