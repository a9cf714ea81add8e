/** The last checks of a monitor or scenario as bars, the newest on the right. */
import type { ListedMonitor } from '../data/api-types';
import { STATUS_WORDS } from '../text/strings';
import { absolute, milliseconds } from '../text/time';
import classes from './heartbeats.module.css';

type Heartbeat = NonNullable<ListedMonitor['recent']>[number];

interface HeartbeatsProps {
  /** Oldest first. */
  readonly beats: readonly Heartbeat[];
  /** How many there is room for. */
  readonly room?: number;
}

export function Heartbeats({ beats, room = 30 }: HeartbeatsProps) {
  const shown = beats.slice(-room);
  return (
    <span className={classes['bars']} role="img" aria-label={summaryOf(shown)}>
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

/** `30 checks: 28 up, 2 down`. */
function summaryOf(beats: readonly Pick<Heartbeat, 'status'>[]): string {
  if (beats.length === 0) return 'No checks yet';
  const counts = new Map<Heartbeat['status'], number>();
  for (const { status } of beats) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(
    ([status, count]) => `${count} ${STATUS_WORDS[status].toLowerCase()}`,
  );
  const checks = beats.length === 1 ? 'The last check' : `The last ${beats.length} checks`;
  return `${checks}: ${parts.join(', ')}`;
}
