/** The last checks of a monitor or scenario as bars, the newest on the right. */
import type { ListedMonitor } from '../data/api-types';
import { STATUS_WORDS } from '../text/strings';
import { absolute, milliseconds } from '../text/time';
import type { Counted } from './counted';
import classes from './heartbeats.module.css';

type Heartbeat = NonNullable<ListedMonitor['recent']>[number];

interface HeartbeatsProps {
  /** The last slots, the oldest first. */
  readonly beats: readonly Heartbeat[];
  readonly of: Counted;
}

/** The number of bars. */
const ROOM = 30;

export function Heartbeats({ beats, of }: HeartbeatsProps) {
  const shown = beats.slice(-ROOM);
  return (
    <span className={classes['bars']} role="img" aria-label={formatSummary(shown, of)}>
      {shown.map(({ at, status, responseTimeMs }) => (
        <span
          key={at}
          className={classes['bar']}
          data-status={status}
          title={`${STATUS_WORDS[status]}, ${milliseconds(responseTimeMs)}, ${absolute(at)}`}
        />
      ))}
    </span>
  );
}

/** Summarizes the bars, like `30 checks: 28 up, 2 down`. */
function formatSummary(
  beats: readonly Pick<Heartbeat, 'status'>[],
  of: HeartbeatsProps['of'],
): string {
  if (beats.length === 0) return `No ${of}s yet`;
  const counts = new Map<Heartbeat['status'], number>();
  for (const { status } of beats) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(
    ([status, count]) => `${count} ${STATUS_WORDS[status].toLowerCase()}`,
  );
  const last = beats.length === 1 ? `The last ${of}` : `The last ${beats.length} ${of}s`;
  return `${last}: ${parts.join(', ')}`;
}
