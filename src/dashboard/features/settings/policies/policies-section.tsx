/** The alert policies of the account: their steps in words, and who would be notified when. */
import { Group, List, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { AlertPolicy } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { CardList } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { SettingsList } from '../settings-list';
import { PolicyForm } from './policy-form';
import { RoutesPanel } from './routes-panel';
import { Simulation } from './simulation';
import { END_WORDS, TEXT } from './strings';
import { type Contacts, useContacts } from './use-contacts';

export function PoliciesSection() {
  const [edited, setEdited] = useState<AlertPolicy | 'new' | null>(null);
  const contacts = useContacts();
  return (
    <>
      <SettingsList<AlertPolicy>
        path="/v1/alert-policies"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(policies) => (
          <CardList>
            {policies.map((policy) => (
              <PolicyCard
                key={policy.id}
                policy={policy}
                contacts={contacts}
                onEdit={() => setEdited(policy)}
              />
            ))}
          </CardList>
        )}
      </SettingsList>
      <RoutesPanel />
      {edited !== null && (
        <PolicyForm policy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface PolicyCardProps {
  readonly policy: AlertPolicy;
  readonly contacts: Contacts;
  readonly onEdit: () => void;
}

function PolicyCard({ policy, contacts, onEdit }: PolicyCardProps) {
  const { id, version, key, name, steps, quietHours } = policy;
  const mayWrite = useCan('write');
  const [isSimulated, setIsSimulated] = useState(false);
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {key}
          </Text>
        </Text>
        <Group gap="xs">
          <SmallButton
            onClick={() => setIsSimulated(!isSimulated)}
            aria-expanded={isSimulated}
            aria-label={`${TEXT.simulate} ${name}`}
          >
            {TEXT.simulate}
          </SmallButton>
          {mayWrite && (
            <>
              <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
                Edit
              </SmallButton>
              <DeleteButton
                path={`/v1/alert-policies/${id}`}
                ifVersion={version}
                touches={['/v1/alert-policies']}
                label={`Delete ${name}`}
                question={{
                  title: `Delete “${name}”?`,
                  text: 'Checks that name it notify their own channels.',
                }}
                done="Policy deleted."
              />
            </>
          )}
        </Group>
      </Group>
      <List size="sm" type="ordered" mt="xs">
        {steps.map((step) => (
          <List.Item key={step.afterMinutes}>{stepWords(step, contacts)}</List.Item>
        ))}
      </List>
      {quietHours !== null && (
        <Text size="sm" c="dimmed">
          Quiet {quietHours.from} to {quietHours.to}, {quietHours.timeZone}
        </Text>
      )}
      {isSimulated && <Simulation policyId={id} />}
    </Paper>
  );
}

/** `After 15 min: me@example.com, until acknowledged, 3 more times every 5 min`. */
function stepWords(step: AlertPolicy['steps'][number], { nameOf }: Contacts): string {
  const { afterMinutes, notify, until, repeat } = step;
  const when = afterMinutes === 0 ? 'At once' : `After ${afterMinutes} min`;
  const again =
    repeat === null ? '' : `, ${repeat.times} more times every ${repeat.everyMinutes} min`;
  return `${when}: ${notify.map(nameOf).join(', ')}, until ${END_WORDS[until]}${again}`;
}
