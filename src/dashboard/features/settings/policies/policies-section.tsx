/** The alert policies of the account: their steps in words, and who would be notified and when. */
import { Group, List, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { WEEKDAYS } from '../../../../contracts/escalation';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { AlertPolicy } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { CardHead, CardList } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { SettingsList } from '../settings-list';
import { PolicyForm } from './policy-form';
import { RoutesPanel } from './routes-panel';
import { Simulation } from './simulation';
import { DAY_WORDS, END_WORDS, TEXT } from './strings';
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

type QuietHours = NonNullable<AlertPolicy['quietHours']>;

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
      <CardHead
        actions={
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
                    text: 'Its steps are lost. Checks that use it alert their own channels instead.',
                  }}
                  done="Policy deleted."
                />
              </>
            )}
          </Group>
        }
      >
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {key}
          </Text>
        </Text>
      </CardHead>
      <List size="sm" type="ordered" mt="xs">
        {steps.map((step) => (
          <List.Item key={step.afterMinutes}>{stepWords(step, contacts)}</List.Item>
        ))}
      </List>
      {quietHours !== null && (
        <Text size="sm" c="dimmed">
          {quietWords(quietHours)}
        </Text>
      )}
      {isSimulated && <Simulation policyId={id} />}
    </Paper>
  );
}

/** `Quiet 22:00 to 07:00, Europe/Berlin, on Mon, Tue, except for pay`. */
function quietWords({ from, to, timeZone, days, except }: QuietHours): string {
  const on =
    days.length === WEEKDAYS.length
      ? ''
      : `, on ${days.map((day) => DAY_WORDS[day].slice(0, 3)).join(', ')}`;
  const others = except.length === 0 ? '' : `, except for ${except.join(', ')}`;
  return `Quiet ${from} to ${to}, ${timeZone}${on}${others}`;
}

/** `After 15 min: me@example.com, until acknowledged, 3 more times every 5 min`. */
function stepWords(step: AlertPolicy['steps'][number], { nameOf }: Contacts): string {
  const { afterMinutes, notify, until, repeat, hours } = step;
  const when = afterMinutes === 0 ? 'At once' : `After ${afterMinutes} min`;
  const again =
    repeat === null ? '' : `, ${repeat.times} more times every ${repeat.everyMinutes} min`;
  return `${when}: ${notify.map(nameOf).join(', ')}, until ${END_WORDS[until]}${again}${hours === null ? '' : `, within the hours ${hours}`}`;
}
