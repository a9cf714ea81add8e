/**
 * A page for a wall-mounted screen. Shows all checks as large squares, in full screen and always dark, and plays a
 * sound when a check goes down.
 */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ListedCheck } from '../../shared/data/api-types';
import { checkPath } from '../../shared/data/check-type';
import { useChecks } from '../../shared/data/checks';
import { useIsLive } from '../../shared/data/live';
import { degradedReason, troubleSince } from '../../shared/data/trouble';
import { Unread } from '../../shared/loading/unread';
import { STATUS_WORDS } from '../../shared/text/strings';
import { useTabTitle } from '../../shared/text/tab-title';
import { lengthSince } from '../../shared/text/time-text';
import { useNowMs } from '../../shared/text/use-now';
import { stateLine } from './state';
import { downIds, isNewlyDown, sortForWallboard } from './wallboard';
import classes from './wallboard.module.css';

/**
 * Frequencies of the two short tones of the alarm. Browsers allow sound only after a click, so the sound must be
 * created in a click handler.
 */
const TONES_HZ = [880, 660] as const;
const TONE_SECONDS = 0.25;
const VOLUME = 0.2;

interface Alarm {
  readonly sound: () => void;
  readonly close: () => void;
}

function createAlarm(): Alarm {
  const context = new AudioContext();
  const play = (hertz: number, startSeconds: number): void => {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.value = VOLUME;
    tone.connect(volume).connect(context.destination);
    tone.start(startSeconds);
    tone.stop(startSeconds + TONE_SECONDS);
  };
  return {
    sound() {
      for (const [index, hertz] of TONES_HZ.entries())
        play(hertz, context.currentTime + index * TONE_SECONDS);
    },
    close: () => void context.close(),
  };
}

export function WallboardPage() {
  useTabTitle('Wallboard');
  const { checks, error } = useChecks();
  const sound = useSound(checks);
  const nowMs = useNowMs();
  const isLive = useIsLive();
  return (
    <div className={classes['wall']}>
      <header className={classes['head']}>
        <h1 className={classes['state']}>
          <span aria-live="polite">
            {checks === undefined ? 'Wallboard' : stateWords(checks, nowMs)}
          </span>
        </h1>
        <div className={classes['tools']}>
          <span role="status">{isLive ? 'Live' : 'Reconnecting'}</span>
          <button type="button" onClick={sound.toggle}>
            {sound.isOn ? 'Turn sound off' : 'Turn sound on'}
          </button>
          {document.fullscreenEnabled && (
            <button type="button" onClick={() => void toggleFullScreen()}>
              Full screen
            </button>
          )}
          <Link to="/">Close</Link>
        </div>
      </header>
      <Unread of={{ data: checks, error }} />
      {checks !== undefined && (
        <ul className={classes['squares']}>
          {sortForWallboard(checks).map((check) => (
            <li key={check.id}>
              <Square check={check} nowMs={nowMs} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function stateWords(checks: readonly ListedCheck[], nowMs: number): string {
  if (checks.length === 0) return 'No monitors yet';
  const { text, worst } = stateLine(checks, nowMs);
  return worst === null ? text : `${text} ${worst.check.name} (${worst.length})`;
}

interface SquareProps {
  readonly check: ListedCheck;
  readonly nowMs: number;
}

function Square({ check, nowMs }: SquareProps) {
  const { name, status } = check;
  const isFailing = status === 'down' || status === 'degraded';
  return (
    <Link to={checkPath(check)} className={classes['square'] ?? ''} data-status={status}>
      <b className={classes['name']}>{name}</b>
      <span>
        {STATUS_WORDS[status]}
        {isFailing && ` for ${lengthSince(troubleSince(check), nowMs)}`}
      </span>
      {isFailing && <span className={classes['reason']}>{reasonText(check)}</span>}
    </Link>
  );
}

function reasonText(check: ListedCheck): string {
  const known = check.failure?.message ?? '';
  return known === '' && check.status === 'degraded' ? degradedReason(check) : known;
}

interface Sound {
  readonly isOn: boolean;
  readonly toggle: () => void;
}

/** The sound of the page. It is off until a user turns it on, because browsers allow sound only after a click. */
function useSound(checks: readonly ListedCheck[] | undefined): Sound {
  const [alarm, setAlarm] = useState<Alarm | null>(null);
  const before = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (checks === undefined) return;
    const now = downIds(checks);
    if (isNewlyDown(before.current, now)) alarm?.sound();
    before.current = now;
  }, [checks, alarm]);
  useEffect(() => () => alarm?.close(), [alarm]);
  const turnOn = (): void => {
    const created = createAlarm();
    // Plays the alarm once, so that the user can check how loud it is.
    created.sound();
    setAlarm(created);
  };
  return { isOn: alarm !== null, toggle: () => (alarm === null ? turnOn() : setAlarm(null)) };
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
  else await document.exitFullscreen();
}
