/** Shows a status by colour, icon and word. */
import {
  IconCircleCheckFilled,
  IconClockHour4,
  IconHelpCircleFilled,
  IconPlayerPauseFilled,
  IconSquareRoundedXFilled,
  IconTool,
  IconTriangleFilled,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Run, Status } from '../data/api-types';
import { RUN_STATUS_WORDS, STATUS_WORDS } from '../text/strings';
import classes from './status.module.css';

type Tone = 'up' | 'degraded' | 'down' | 'quiet' | 'maintenance';
type Icon = ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;

const TONES: Readonly<Record<Status, Tone>> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  paused: 'quiet',
  pending: 'quiet',
  unknown: 'quiet',
};

const ICONS: Readonly<Record<Status, Icon>> = {
  up: IconCircleCheckFilled,
  degraded: IconTriangleFilled,
  down: IconSquareRoundedXFilled,
  maintenance: IconTool,
  paused: IconPlayerPauseFilled,
  pending: IconClockHour4,
  unknown: IconHelpCircleFilled,
};

const STATUS_OF_RUN: Readonly<Record<Run['status'], Status>> = {
  passed: 'up',
  degraded: 'degraded',
  failed: 'down',
  timed_out: 'down',
  error: 'unknown',
  cancelled: 'paused',
  queued: 'pending',
  running: 'pending',
  waiting: 'pending',
};

export function StatusLabel({ status }: { readonly status: Status }) {
  return <Label status={status} word={STATUS_WORDS[status]} />;
}

export function RunStatusLabel({ status }: { readonly status: Run['status'] }) {
  return <Label status={STATUS_OF_RUN[status]} word={RUN_STATUS_WORDS[status]} />;
}

function Label({ status, word }: { readonly status: Status; readonly word: string }) {
  const Icon = ICONS[status];
  return (
    <span className={classes['label']} data-tone={TONES[status]}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** Shows only the icon of a status. Screen readers get the word, too. */
export function StatusIcon({ status, size = 18 }: { readonly status: Status; size?: number }) {
  const Icon = ICONS[status];
  return (
    <span
      className={classes['icon']}
      data-tone={TONES[status]}
      role="img"
      aria-label={STATUS_WORDS[status]}
      title={STATUS_WORDS[status]}
    >
      <Icon size={size} aria-hidden />
    </span>
  );
}

export function runAsStatus(status: Run['status']): Status {
  return STATUS_OF_RUN[status];
}
