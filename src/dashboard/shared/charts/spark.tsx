/** A row of small bars for lists and cards, the newest on the right. */
import classes from './charts.module.css';
import type { SparkBar } from './spark-bars';

const HEIGHT = 24;
const WIDTH = 4;
const STEP = 5;
const TONES: readonly SparkBar['tone'][] = ['up', 'degraded', 'down', 'none'];

interface SparkProps {
  readonly bars: readonly SparkBar[];
  /** A description for people who cannot see the chart. */
  readonly label: string;
}

export function Spark({ bars, label }: SparkProps) {
  return (
    <svg
      className={classes['spark']}
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {TONES.map((tone) => (
        <path key={tone} d={drawOutline(bars, tone)} data-tone={tone} />
      ))}
    </svg>
  );
}

function drawBar(index: number, bottom: number, height: number): string {
  return `M${index * STEP} ${bottom}v${-height}h${WIDTH}v${height}z`;
}

/** Returns the SVG path of all bars with this tone. Tables have many rows, and one element per bar would be slow. */
function drawOutline(bars: readonly SparkBar[], tone: SparkBar['tone']): string {
  return bars
    .map((bar, index) => {
      const shown = Math.max(2, bar.height * HEIGHT);
      // The part that is down is always high enough to be visible.
      const down = bar.downShare === undefined ? shown : Math.max(4, bar.downShare * shown);
      if (bar.tone === tone) return drawBar(index, HEIGHT, down);
      return tone === 'up' && down < shown ? drawBar(index, HEIGHT - down, shown - down) : '';
    })
    .join('');
}
