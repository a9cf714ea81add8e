/** The hours of the account: their week in words, and whether they are open now. */
import { Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Hours } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { CardHead, CardList } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { SettingsList } from '../settings-list';
import { timeWords } from './hours-draft';
import { HoursForm, TOUCHED } from './hours-form';
import { TEXT } from './strings';

export function HoursSection() {
  const [edited, setEdited] = useState<Hours | 'new' | null>(null);
  return (
    <>
      <SettingsList<Hours>
        path="/v1/hours"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(all) => (
          <CardList>
            {all.map((hours) => (
              <HoursCard key={hours.id} hours={hours} onEdit={() => setEdited(hours)} />
            ))}
          </CardList>
        )}
      </SettingsList>
      {edited !== null && (
        <HoursForm hours={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface HoursCardProps {
  readonly hours: Hours;
  readonly onEdit: () => void;
}

function HoursCard({ hours, onEdit }: HoursCardProps) {
  const { id, version, key, name, timeZone, weekly, holidays, isOpen } = hours;
  const mayWrite = useCan('write');
  return (
    <Paper component="li" withBorder p="sm">
      <CardHead
        actions={
          mayWrite && (
            <Group gap="xs">
              <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
                Edit
              </SmallButton>
              <DeleteButton
                path={`/v1/hours/${id}`}
                ifVersion={version}
                touches={TOUCHED}
                label={`Delete ${name}`}
                question={{
                  title: `Delete “${name}”?`,
                  text: 'Their times and holidays are lost. Hours that a check or policy uses can’t be deleted.',
                }}
                done="Hours deleted."
              />
            </Group>
          )
        }
      >
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {key}
          </Text>
        </Text>
      </CardHead>
      <Text size="sm" c="dimmed">
        {isOpen ? 'Open now' : 'Closed now'} · {timeZone}
        {holidays.length > 0 &&
          ` · ${holidays.length === 1 ? '1 holiday' : `${holidays.length} holidays`}`}
      </Text>
      <Text size="sm">{weekly.map(timeWords).join(', ')}</Text>
    </Paper>
  );
}
