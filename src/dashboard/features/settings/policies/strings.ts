/** The words of the alert policies. */
import type { EscalationEnd, RoutedType, Weekday } from '../../../../contracts/escalation';

export const TEXT = {
  about:
    'Failures of monitors and scenarios that name a policy are escalated step by step, until someone responds.',
  add: 'Add policy',
  noneTitle: 'No alert policies yet',
  none: 'Say who is notified first, and who next when nobody responds.',
  noneReadOnly: 'An editor of this account can add policies here.',
  simulate: 'Simulate',
  routesAbout:
    'The policy of checks that name none: the first route that matches. Checks that no route matches notify their own channels.',
  routesEdit: 'Edit routes',
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
