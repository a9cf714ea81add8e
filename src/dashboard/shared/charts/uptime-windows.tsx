/**
 * Shows the uptime of an hour, a day, a week, a month and a quarter. The user selects one of these windows for the
 * whole page. All windows end at the same instant.
 */
import { Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ApiProblem } from '../data/api';
import type { Uptime } from '../data/api-types';
import { useReads } from '../data/queries';
import { percent } from '../text/time';
import { type Counted, checksText } from './counted';
import { spanText, type UptimeWindow, uptimePath, windowTiles } from './windows';
import classes from './windows.module.css';
import type { Span } from './zoom';

type Reading = Pick<UseQueryResult<Uptime, ApiProblem>, 'data' | 'error'>;

interface UptimeWindowsProps {
  /** The path of the uptime: `/v1/monitors/ID/uptime`. */
  readonly path: string;
  /** The page's read of the current window. The other windows end at the same time. */
  readonly current: Reading;
  readonly window: UptimeWindow;
  /** The zoomed span and its read, which replace the window. null if the page is not zoomed. */
  readonly zoomed: { readonly span: Span; readonly reading: Reading } | null;
  readonly createdAt: string;
  readonly counted: Counted;
  readonly onChoose: (window: UptimeWindow) => void;
}

export function UptimeWindows(props: UptimeWindowsProps) {
  const { path, current, zoomed, createdAt, counted, onChoose } = props;
  const to = current.data?.to;
  const tiles = windowTiles(createdAt, to === undefined ? Date.now() : Date.parse(to));
  const others = to === undefined ? [] : tiles.filter(({ window }) => window !== props.window);
  const found = useReads<Uptime>(others.map(({ window }) => uptimePath(path, { window, to })));
  const chooseReading = (window: string) =>
    found[others.findIndex((one) => one.window === window)] ?? current;
  return (
    <>
      <div className={classes['windows']} role="radiogroup" aria-label="Window">
        {tiles.map(({ window, label, covers }) => (
          <Tile
            key={window}
            label={label}
            of={chooseReading(window)}
            counted={counted}
            isChosen={zoomed === null && covers.includes(props.window)}
            onChoose={() => onChoose(window)}
          />
        ))}
        {zoomed !== null && (
          <Tile label={spanText(zoomed.span)} of={zoomed.reading} counted={counted} isChosen />
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes['basis'] ?? ''}>
        Uptime is measured by time, not by the number of {counted}s.
      </Text>
    </>
  );
}

interface TileProps extends Pick<UptimeWindowsProps, 'counted'> {
  readonly label: string;
  readonly of: Reading;
  readonly isChosen: boolean;
  readonly onChoose?: () => void;
}

function Tile({ label, of: { data: uptime, error }, counted, isChosen, onChoose }: TileProps) {
  const figures = (
    <>
      <Text fz="1.3rem" fw={650} className={classes['value'] ?? ''}>
        {percent(uptime?.availability ?? null)}
      </Text>
      <Text size="xs" c="dimmed">
        {uptime === undefined ? 'not loaded' : checksText(uptime.checks, counted)}
      </Text>
    </>
  );
  return (
    <label className={classes['window']}>
      <input
        type="radio"
        name="uptime-window"
        aria-label={label}
        className={classes['radio']}
        checked={isChosen}
        onChange={() => onChoose?.()}
      />
      <Text size="xs" className={classes['label'] ?? ''}>
        {label}
      </Text>
      {uptime === undefined && error === null ? <Skeleton>{figures}</Skeleton> : figures}
    </label>
  );
}
