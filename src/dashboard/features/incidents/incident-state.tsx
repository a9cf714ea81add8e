/** The state of an incident as colour, icon and word. */
import { IconCircleCheckFilled, IconFlameFilled, IconUserCheck } from '@tabler/icons-react';
import { FlappingBadge } from '../../shared/alerts/flapping';
import type { Incident } from '../../shared/data/api-types';
import classes from './incident-state.module.css';
import { TEXT } from './strings';

const ICONS = {
  open: IconFlameFilled,
  acknowledged: IconUserCheck,
  resolved: IconCircleCheckFilled,
} as const;

interface IncidentStateProps {
  readonly incident: Pick<Incident, 'state' | 'isFlapping'>;
}

/** Shows the state, and next to it whether the check is flapping. */
export function IncidentState({ incident: { state, isFlapping } }: IncidentStateProps) {
  const Icon = ICONS[state];
  return (
    <>
      <span className={classes['state']} data-open={state !== 'resolved'}>
        <Icon size={14} aria-hidden />
        {TEXT[state]}
      </span>
      <FlappingBadge isFlapping={isFlapping} />
    </>
  );
}
