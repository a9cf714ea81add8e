/** The hours of the account: their week in words, and whether they are open now. */
import { Text } from '@mantine/core';
import type { Hours } from '../../../shared/data/api-types';
import { KeyedSection } from '../keyed/keyed-section';
import { timeWords } from './hours-draft';
import { HoursForm } from './hours-form';
import { HOURS } from './strings';

export function HoursSection() {
  return (
    <KeyedSection<Hours> kind={HOURS} Form={HoursForm}>
      {({ isOpen, timeZone, holidays, weekly }) => (
        <>
          <Text size="sm" c="dimmed">
            {isOpen ? 'Open now' : 'Closed now'} · {timeZone}
            {holidays.length > 0 &&
              ` · ${holidays.length === 1 ? '1 holiday' : `${holidays.length} holidays`}`}
          </Text>
          <Text size="sm">{weekly.map(timeWords).join(', ')}</Text>
        </>
      )}
    </KeyedSection>
  );
}
