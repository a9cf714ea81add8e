/** The state of an incident as colour, icon and word. */
import { IconCircleCheckFilled, IconFlameFilled, IconUserCheck } from '@tabler/icons-react';
import type { Incident } from '../../shared/data/api-types';
import classes from './incident-state.module.css';
import { TEXT } from './strings';

const ICONS = {
  open: IconFlameFilled,
  acknowledged: IconUserCheck,
  resolved: IconCircleCheckFilled,
} as const;

export function IncidentState({ state }: Pick<Incident, 'state'>) {
  const Icon = ICONS[state];
  return (
    <span className={classes['state']} data-open={state !== 'resolved'}>
      <Icon size={14} aria-hidden />
      {TEXT[state]}
    </span>
  );
}
