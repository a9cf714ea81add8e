/** The hours of the account: their week in words, and whether they are open now. */
import { Text } from '@mantine/core';
import type { AlertPolicy, Hours, Page, StatusPage } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { KeyedSection } from '../keyed/keyed-section';
import { UsedByChecks } from '../used-by';
import { timeWords } from './hours-draft';
import { HoursForm } from './hours-form';
import { HOURS } from './strings';

export function HoursSection() {
  return (
    <KeyedSection<Hours> kind={HOURS} Form={HoursForm}>
      {({ key, isOpen, timeZone, holidays, weekly }) => (
        <>
          <Text size="sm" c="dimmed">
            {isOpen ? 'Open now' : 'Closed now'} · {timeZone}
            {holidays.length > 0 &&
              ` · ${holidays.length === 1 ? '1 holiday' : `${holidays.length} holidays`}`}
          </Text>
          <Text size="sm">{weekly.map(timeWords).join(', ')}</Text>
          <HoursUsers hoursKey={key} />
        </>
      )}
    </KeyedSection>
  );
}

/** The checks, alert policies and status pages that use the hours. */
function HoursUsers({ hoursKey }: { readonly hoursKey: string }) {
  const { data: policies } = useRead<Page<AlertPolicy>>('/v1/alert-policies?limit=100');
  const { data: pages } = useRead<Page<StatusPage>>('/v1/status-pages?limit=500');
  if (policies === undefined || pages === undefined) return null;
  const others = [
    ...policies.data.filter(({ steps }) => steps.some(({ hours }) => hours === hoursKey)),
    ...pages.data
      .filter(({ hours }) => hours === hoursKey)
      .map(({ id, title }) => ({ id, name: title })),
  ];
  return <UsedByChecks filter={{ hours: hoursKey }} others={others} />;
}
