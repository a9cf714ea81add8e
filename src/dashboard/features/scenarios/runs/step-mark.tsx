/** The status of a step as colour, shape and word. */
import {
  IconBan,
  IconCheck,
  IconClockHour4,
  IconLoader2,
  IconMinus,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { STEP_STATUS_WORDS } from '../strings';
import classes from './runs.module.css';
import type { RunStep } from './waterfall';

type Tone = 'up' | 'down' | 'quiet' | 'unknown';
type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

const TONES: Readonly<Record<RunStep['status'], Tone>> = {
  passed: 'up',
  failed: 'down',
  error: 'unknown',
  skipped: 'quiet',
  pending: 'quiet',
  running: 'quiet',
  waiting: 'quiet',
};

const ICONS: Readonly<Record<RunStep['status'], Icon>> = {
  passed: IconCheck,
  failed: IconX,
  error: IconQuestionMark,
  skipped: IconBan,
  pending: IconMinus,
  running: IconLoader2,
  waiting: IconClockHour4,
};

export function chooseTone(status: RunStep['status']): Tone {
  return TONES[status];
}

interface StepMarkProps {
  readonly status: RunStep['status'];
  /** True to show only the icon. Screen readers get the word, too. */
  readonly isSmall?: boolean;
}

export function StepMark({ status, isSmall = false }: StepMarkProps) {
  const Icon = ICONS[status];
  const word = STEP_STATUS_WORDS[status];
  if (isSmall)
    return (
      <span className={classes['cell']} data-tone={TONES[status]} role="img" aria-label={word}>
        <Icon size={14} aria-hidden />
      </span>
    );
  return (
    <span className={classes['mark']} data-tone={TONES[status]}>
      <Icon size={16} aria-hidden />
      {word}
    </span>
  );
}
