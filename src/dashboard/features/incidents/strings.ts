/** The words of the incident pages. */
import type { Incident } from '../../shared/data/api-types';

export const TEXT = {
  title: 'Incidents',
  all: 'All',
  open: 'Open',
  closed: 'Closed',
  filter: 'Which incidents',
  noneTitle: 'No incidents',
  none: 'When a monitor or a scenario goes down, its incident appears here with the cause and who was told.',
  noneOpenTitle: 'Nothing is down',
  noneOpen: 'There is no open incident. Earlier ones are among the closed.',
  noneHereTitle: 'No incidents here',
  noneHere: 'No incident fits this filter.',
  showAll: 'Show all incidents',
  toMonitors: 'Go to monitors',
  acknowledged: 'Acknowledged',
  acknowledge: 'Acknowledge',
  acknowledgedNow: 'The incident is acknowledged.',
  unknownCause: 'The cause is not known.',
  timeline: 'Timeline',
  alerts: 'Alerts',
  facts: 'What happened',
  noAlerts:
    'Nobody was told of this incident: no alert channel or address is set, or alerts were held.',
  attempts: 'Attempts',
  note: 'Add a note',
  noteHint: 'Everybody in this account sees it.',
  saveNote: 'Add note',
  noteSaved: 'The note was added.',
  firstResult: 'First failing result',
  firstRun: 'First failing run',
  resultGone: 'It is not kept any more.',
  allResults: 'All results that failed',
} as const;

export const TIMELINE_WORDS: Readonly<Record<Incident['timeline'][number]['kind'], string>> = {
  opened: 'Opened',
  alert: 'Alert',
  acknowledged: 'Acknowledged',
  note: 'Note',
  recovered: 'Recovered',
};
