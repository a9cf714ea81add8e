/** Which status weighs more than which. Pure. */
import type { Status } from '../data/api-types';

/** Worst first; for sorting and for the state of a folder. */
export const WORST_FIRST: readonly Status[] = [
  'down',
  'degraded',
  'unknown',
  'pending',
  'maintenance',
  'paused',
  'up',
];
