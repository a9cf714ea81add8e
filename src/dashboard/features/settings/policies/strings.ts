/** The words of the alert policies. */
import type { EscalationEnd, RoutedType, Weekday } from '../../../../contracts/escalation';

export const TEXT = {
  about:
    'Failures of monitors and scenarios that name a policy are escalated step by step, until someone responds.',
  add: 'Add policy',
  edit: 'Edit policy',
  noneTitle: 'No alert policies yet',
  none: 'Say who is notified first, and who next when nobody responds.',
  noneReadOnly: 'An editor of this account can add policies here.',
  saved: 'Policy saved. Escalations under way keep the policy they began with.',
  deleted: 'Policy deleted.',
  keyHint: 'Identifier in configuration files. It never changes.',
  steps: 'Steps',
  stepsHint: 'Minutes count from the failure. Time in which it is acknowledged does not count.',
  quiet: 'Quiet hours',
  quietHint: 'What falls into them is sent when they end.',
  except: 'Except for tags',
  exceptHint: 'Checks with one of these tags are never quiet',
  lastResort: 'Last resort',
  lastResortHint: 'The channel that gets what nobody else has taken',
  simulate: 'Simulate',
  simulateHint: 'Who would be notified when, if it failed now and nobody responded:',
  nobody: 'Nobody would be notified.',
  unwanted: 'takes no such alerts',
  routes: 'Routes',
  routesAbout:
    'The policy of checks that name none: the first route that matches. Checks that no route matches notify their own channels.',
  routesNone: 'No routes yet',
  routesEdit: 'Edit routes',
  routesSaved: 'Routes saved. Escalations under way keep the policy they began with.',
  routeAdd: 'Add route',
  anyOf: 'Any',
  tagsHint: 'One of them is enough',
  groupsHint: 'Or a group nested in one of them',
  lookUp: 'Which policy does a check get?',
  lookUpHint: 'Choose a check',
  ownChannels: 'Its own channels',
  byResource: 'The check names the policy itself.',
  byNothing: 'No route matches: failures go to its own channels.',
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
