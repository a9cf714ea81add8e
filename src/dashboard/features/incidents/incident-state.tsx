/** Whether an incident is open, by colour, icon and word. */
import { IconCircleCheckFilled, IconFlameFilled } from '@tabler/icons-react';
import type { Incident } from '../../shared/data/api-types';
import classes from './incident-state.module.css';
import { TEXT } from './strings';

export function IncidentState({ state }: Pick<Incident, 'state'>) {
  const isOpen = state === 'open';
  const Icon = isOpen ? IconFlameFilled : IconCircleCheckFilled;
  return (
    <span className={classes['state']} data-open={isOpen}>
      <Icon size={14} aria-hidden />
      {isOpen ? TEXT.open : TEXT.closed}
    </span>
  );
}
