/** Lists the marks of a chart, oldest first, with a legend of its shaded spans. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AbsoluteTime, formatDuration } from '../text/time';
import { countMarks, type Mark, type MarkKind } from './band';
import classes from './charts.module.css';
import { SHADE_KINDS, type Shade, type ShadeKind } from './latency';

const WORDS: Readonly<Record<MarkKind, string>> = {
  incident: 'Incident',
  edit: 'Edited',
  maintenance: 'Maintenance',
  run: 'Run',
};

const SHADE_WORDS: Readonly<Record<ShadeKind, string>> = {
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
};

export function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>Events in the chart: {countMarks(marks)}</summary>
      <Marks marks={marks} />
    </details>
  );
}

export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <ul className={classes['marks']}>
      {marks.map(({ id, kind, atMs, text, to }) => (
        <Text component="li" size="sm" key={id} style={{ overflowWrap: 'anywhere' }}>
          <span className={classes['mark']} data-kind={kind} aria-hidden />
          <b>{WORDS[kind]}</b> <AbsoluteTime at={new Date(atMs).toISOString()} />{' '}
          {to === null ? (
            text
          ) : (
            <Anchor component={Link} to={to} size="sm">
              {text}
            </Anchor>
          )}
        </Text>
      ))}
    </ul>
  );
}

interface ChartLegendProps {
  /** The entries of the lines and bands. */
  readonly lines?: readonly { readonly kind: string; readonly words: string }[];
  readonly shades: readonly Shade[];
  /** The total time of all outages, including time that was not observed. Shaded spans show only observed time. */
  readonly downSeconds: number;
}

/** Explains the lines and each kind of shade, and shows how long each kind lasted. */
export function ChartLegend({ lines = [], shades, downSeconds }: ChartLegendProps) {
  const kinds = SHADE_KINDS.map((kind) => ({
    kind,
    seconds: shades
      .filter((shade) => shade.kind === kind)
      .reduce((total, { seconds }) => total + seconds, 0),
  })).filter(({ seconds }) => seconds > 0);
  const entries = [
    ...lines,
    ...kinds.map(({ kind, seconds }) => ({
      kind,
      words: `${SHADE_WORDS[kind]} ${formatDuration(kind === 'down' ? downSeconds : seconds)}`,
    })),
  ];
  if (entries.length === 0) return null;
  return (
    <ul className={classes['legend']}>
      {entries.map(({ kind, words }) => (
        <li key={kind}>
          <span className={classes['swatch']} data-kind={kind} aria-hidden />
          <Text component="span" size="xs">
            {words}
          </Text>
        </li>
      ))}
    </ul>
  );
}
