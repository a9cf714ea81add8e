/** The words that only the list and the pages of monitors show. */
import { ACTION_TEXT as COMMON } from '../../shared/actions/words';

export const LIST_TEXT = {
  title: 'Monitors',
  add: 'New monitor',
  addFirst: 'Create the first monitor',
  none: 'No monitors yet',
  whyNone: 'A monitor checks one address again and again, from one or more regions.',
  whyNoMatch: 'No monitor matches all of these filters.',
  all: 'All',
  selectAll: 'Select all on this page',
} as const;

export const ACTION_TEXT = { ...COMMON, checkNow: 'Check now' } as const;
