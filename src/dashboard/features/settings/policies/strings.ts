/** Texts of the alert policies. */
import type { EscalationEnd, RoutedType, Weekday } from '../../../../contracts/escalation';
import type { KeyedKind } from '../keyed/keyed';

export const POLICIES: KeyedKind = {
  path: '/v1/alert-policies',
  touches: ['/v1/alert-policies'],
  text: {
    about: 'Escalate failures step by step until someone responds.',
    add: 'Add policy',
    edit: 'Edit policy',
    noneTitle: 'No alert policies yet',
    none: 'Define who is alerted first, and who is next if nobody responds.',
    noneReadOnly: 'An editor of this account can add policies here.',
    saved: 'Policy saved. Escalations in progress keep the policy they started with.',
    deleted: 'Policy deleted.',
    loss: 'Its steps are lost. Checks that use it alert their own channels instead.',
  },
};

export const TEXT = {
  simulate: 'Simulate',
  routesAbout:
    'Checks without a policy use the first matching route. If none matches, they alert their own channels.',
  routesEdit: 'Edit routes',
  unused: 'Not used by any check',
  anyOf: 'Any',
  ownChannels: 'Its own channels',
} as const;

export const END_WORDS: Readonly<Record<EscalationEnd, string>> = {
  acknowledged: 'acknowledged',
  recovered: 'recovered',
};

export const TYPE_WORDS: Readonly<Record<RoutedType, string>> = {
  monitor: 'Monitors',
  heartbeat: 'Heartbeats',
  scenario: 'Scenarios',
};

export const DAY_WORDS: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
