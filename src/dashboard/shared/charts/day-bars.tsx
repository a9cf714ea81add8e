/** A row of bars, one for each day, the newest on the right. */
import classes from './charts.module.css';

interface DayBar {
  readonly from: string;
  readonly tone: 'up' | 'degraded' | 'down' | 'none';
  /** The tooltip of the bar. */
  readonly text: string;
}

interface DayBarsProps {
  readonly bars: readonly DayBar[];
  /** Describes all bars in one sentence, for screen readers. */
  readonly label: string;
}

export function DayBars({ bars, label }: DayBarsProps) {
  return (
    <div className={classes['strip']} role="img" aria-label={label}>
      {bars.map(({ from, tone, text }) => (
        <span key={from} className={classes['day']} data-tone={tone} title={text} />
      ))}
    </div>
  );
}
