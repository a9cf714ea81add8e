/** The state of an incident as colour, icon and word. While its check is flapping, the state says so. */
import {
  IconArrowsUpDown,
  IconCircleCheckFilled,
  IconFlameFilled,
  IconUserCheck,
} from '@tabler/icons-react';
import { FLAPPING_TITLE } from '../../shared/alerts/flapping';
import type { Incident } from '../../shared/data/api-types';
import classes from './incident-state.module.css';
import { FLAPPING_WORDS, TEXT } from './strings';

const ICONS = {
  open: IconFlameFilled,
  acknowledged: IconUserCheck,
  resolved: IconCircleCheckFilled,
} as const;

interface StateProps {
  readonly incident: Pick<Incident, 'state' | 'isFlapping'>;
}

export function IncidentState({ incident: { state, isFlapping } }: StateProps) {
  const Icon = isFlapping ? IconArrowsUpDown : ICONS[state];
  return (
    <span
      className={classes['state']}
      data-state={isFlapping ? 'flapping' : state}
      title={isFlapping ? FLAPPING_TITLE : undefined}
    >
      <Icon size={14} aria-hidden />
      {isFlapping ? FLAPPING_WORDS[state] : TEXT[state]}
    </span>
  );
}
