/** A row of small bars for lists and cards, the newest on the right. */
import classes from './charts.module.css';
import type { SparkBar } from './spark-bars';

const HEIGHT = 24;
const WIDTH = 4;
const STEP = 5;

interface SparkProps {
  readonly bars: readonly SparkBar[];
  /** What it shows, for those who do not see it. */
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
      {bars.map(({ height, tone }, index) => {
        const shown = Math.max(2, height * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            key={index}
            x={index * STEP}
            y={HEIGHT - shown}
            width={WIDTH}
            height={shown}
            data-tone={tone}
          />
        );
      })}
    </svg>
  );
}
