/** The alert policies of the account: their steps in words, and who would be notified and when. */
import {
  Group,
  List,
  MultiSelect,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { WEEKDAYS } from '../../../../contracts/escalation';
import { countWords } from '../../../shared/charts/counted';
import type { AlertPolicy } from '../../../shared/data/api-types';
import { OWN_ZONE } from '../../../shared/form/fields/time-zones';
import { ZoneField } from '../../../shared/form/fields/zone-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import { SmallButton } from '../../../shared/ui/small-button';
import type { Edited } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { KeyedSection } from '../keyed/keyed-section';
import { UsedBy } from '../used-by';
import { buildBody, createDraft, type QuietDraft } from './policy-draft';
import { RoutesPanel } from './routes-panel';
import { Simulation } from './simulation';
import { StepFields } from './step-fields';
import { DAY_WORDS, END_WORDS, POLICIES, TEXT } from './strings';
import { type Contacts, useContacts } from './use-contacts';
import { type FindPolicyUsers, usePolicyUsers } from './use-policy-users';

export function PoliciesSection() {
  const contacts = useContacts();
  const findUsers = usePolicyUsers();
  const [simulatedId, setSimulatedId] = useState<string | null>(null);
  return (
    <>
      <KeyedSection<AlertPolicy>
        kind={POLICIES}
        Form={PolicyForm}
        actions={({ id, name }) => (
          <SmallButton
            onClick={() => setSimulatedId(id === simulatedId ? null : id)}
            aria-expanded={id === simulatedId}
            aria-label={`${TEXT.simulate} ${name}`}
          >
            {TEXT.simulate}
          </SmallButton>
        )}
      >
        {({ id, key, steps, quietHours }) => (
          <>
            <List size="sm" type="ordered">
              {steps.map((step) => (
                <List.Item key={step.afterMinutes}>{stepWords(step, contacts)}</List.Item>
              ))}
            </List>
            {quietHours !== null && (
              <Text size="sm" c="dimmed">
                {quietWords(quietHours)}
              </Text>
            )}
            <PolicyUsers findUsers={findUsers} policyKey={key} />
            {id === simulatedId && <Simulation policyId={id} />}
          </>
        )}
      </KeyedSection>
      <RoutesPanel />
    </>
  );
}

interface PolicyUsersProps {
  readonly findUsers: FindPolicyUsers | null;
  readonly policyKey: string;
}

function PolicyUsers({ findUsers, policyKey }: PolicyUsersProps) {
  if (findUsers === null) return null;
  const users = findUsers(policyKey);
  return <UsedBy users={users} count={countWords(users.length, 'check')} none={TEXT.unused} />;
}

type QuietHours = NonNullable<AlertPolicy['quietHours']>;

/** Describes quiet hours, like `Quiet 22:00 to 07:00, Europe/Berlin, on Mon, Tue, except for pay`. */
function quietWords({ from, to, timeZone, days, except }: QuietHours): string {
  const on =
    days.length === WEEKDAYS.length
      ? ''
      : `, on ${days.map((day) => DAY_WORDS[day].slice(0, 3)).join(', ')}`;
  const others = except.length === 0 ? '' : `, except for ${except.join(', ')}`;
  return `Quiet ${from} to ${to}, ${timeZone}${on}${others}`;
}

/** Describes a step, like `After 15 min: me@example.com, until acknowledged, 3 more times every 5 min`. */
function stepWords(step: AlertPolicy['steps'][number], { findName }: Contacts): string {
  const { afterMinutes, notify, until, repeat, hours } = step;
  const when = afterMinutes === 0 ? 'At once' : `After ${afterMinutes} min`;
  const again =
    repeat === null ? '' : `, ${repeat.times} more times every ${repeat.everyMinutes} min`;
  return `${when}: ${notify.map(findName).join(', ')}, until ${END_WORDS[until]}${again}${hours === null ? '' : `, within the hours ${hours}`}`;
}

function PolicyForm(edited: Edited<AlertPolicy>) {
  const contacts = useContacts();
  return (
    <KeyedForm kind={POLICIES} {...edited} createDraft={createDraft} buildBody={buildBody}>
      {({ draft, set, fault }) => (
        <>
          <StepFields
            steps={draft.steps}
            contacts={contacts}
            onChange={(steps) => set({ steps })}
            fault={fault}
          />
          <QuietFields
            value={draft.quietHours}
            onChange={(quietHours) => set({ quietHours })}
            fault={fault}
          />
          <Select
            label="Last resort"
            description="Fallback if no one else can be reached"
            placeholder="None"
            data={[...contacts.channels]}
            value={draft.lastResort}
            onChange={(lastResort) => set({ lastResort })}
            error={fault('lastResort')}
            clearable
          />
        </>
      )}
    </KeyedForm>
  );
}

interface QuietFieldsProps {
  readonly value: QuietDraft | null;
  readonly onChange: (value: QuietDraft | null) => void;
  readonly fault: (path: string) => string | null;
}

const USUAL = { days: WEEKDAYS, from: '22:00', to: '07:00', except: [] };

/** The times of the week in which a policy sends nothing. */
function QuietFields({ value, onChange, fault }: QuietFieldsProps) {
  const set = (patch: Partial<QuietDraft>): void =>
    onChange({ ...USUAL, timeZone: OWN_ZONE, ...value, ...patch });
  return (
    <Stack gap="xs">
      <Switch
        label="Quiet hours"
        description="Alerts during quiet hours are sent when they end."
        checked={value !== null}
        onChange={({ currentTarget }) => (currentTarget.checked ? set({}) : onChange(null))}
      />
      {value !== null && (
        <>
          <Group gap="xs" align="flex-start">
            <TextInput
              label="From"
              type="time"
              value={value.from}
              onChange={({ currentTarget }) => set({ from: currentTarget.value })}
              error={fault('quietHours.from')}
              flex={1}
            />
            <TextInput
              label="To"
              type="time"
              value={value.to}
              onChange={({ currentTarget }) => set({ to: currentTarget.value })}
              error={fault('quietHours.to')}
              flex={1}
            />
            <ZoneField
              value={value.timeZone}
              onChange={(timeZone) => set({ timeZone })}
              error={fault('quietHours.timeZone')}
              flex={2}
              miw={160}
            />
          </Group>
          <MultiSelect
            label="Days"
            data={WEEKDAYS.map((day) => ({ value: day, label: DAY_WORDS[day] }))}
            value={[...value.days]}
            onChange={(days) => set({ days })}
            error={fault('quietHours.days')}
          />
          <TagsInput
            label="Except for tags"
            description="Checks with one of these tags are never quiet"
            value={[...value.except]}
            onChange={(except) => set({ except })}
            error={fault('quietHours.except')}
            acceptValueOnBlur
          />
          <LearnMore fieldsAt="policy.quietHours" about="quiet hours" />
        </>
      )}
    </Stack>
  );
}
