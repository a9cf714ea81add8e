/** The words that only the list and the pages of monitors show. */
import { ACTION_TEXT as COMMON } from '../../shared/actions/words';

export const LIST_TEXT = {
  title: 'Monitors',
  add: 'New monitor',
  addFirst: 'Create your first monitor',
  none: 'No monitors yet',
  whyNone: 'A monitor sends one request on a schedule, from one or more regions.',
  whyNoMatch: 'No monitor matches these filters.',
  all: 'All',
  selectAll: 'Select all on this page',
} as const;

export const ACTION_TEXT = { ...COMMON, checkNow: 'Check now' } as const;
