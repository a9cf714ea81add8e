/** The words of the incident pages. */
import type { Incident } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Incidents',
  all: 'All',
  open: 'Open',
  closed: 'Resolved',
  filter: 'Which incidents',
  noneTitle: 'No incidents',
  none: 'When a monitor or a scenario goes down, its incident appears here with the cause and the alerts that were sent.',
  noneOpenTitle: 'Nothing is down',
  noneOpen: 'No open incidents. Earlier ones are listed under Resolved.',
  noneHereTitle: 'No incidents here',
  noneHere: 'No incident matches this filter.',
  showAll: 'Show all incidents',
  toMonitors: 'Go to monitors',
  acknowledged: 'Acknowledged',
  acknowledge: 'Acknowledge',
  acknowledgedNow: 'Incident acknowledged.',
  unknownCause: 'Cause unknown.',
  timeline: 'Timeline',
  alerts: 'Alerts',
  facts: 'What happened',
  noAlerts: 'No alerts were sent: no email or channel is set, or alerts were muted.',
  attempts: 'Attempts',
  note: 'Add a note',
  noteHint: 'Visible to everyone in this account.',
  saveNote: 'Add note',
  noteSaved: 'Note added.',
  firstResult: 'First failing result',
  firstRun: 'First failing run',
  resultGone: 'This result is no longer kept.',
  allResults: 'All failed results',
} as const;

export const TIMELINE_WORDS: Readonly<Record<Incident['timeline'][number]['kind'], string>> = {
  opened: 'Opened',
  alert: 'Alert',
  acknowledged: 'Acknowledged',
  note: 'Note',
  recovered: 'Recovered',
};
