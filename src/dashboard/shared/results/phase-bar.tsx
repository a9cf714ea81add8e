/** A waterfall of the phases of one request. */
import { milliseconds } from '../text/time';
import { listPhases, phaseText, type Timings } from './measured';
import classes from './results.module.css';
import { PHASE_WORDS } from './words';

export function PhaseBar({ timings }: { readonly timings: Timings }) {
  const happened = listPhases(timings).filter(({ ms }) => ms !== null);
  return (
    <ol className={classes['waterfall']}>
      {happened.map(({ name, ms, percent, startPercent }) => (
        <li key={name}>
          <span>{PHASE_WORDS[name]}</span>
          <span className={classes['lane']} aria-hidden>
            <span
              className={classes['span']}
              style={{ left: `${startPercent}%`, width: `${percent}%` }}
            />
          </span>
          <span className={classes['length']}>{phaseText(ms)}</span>
        </li>
      ))}
      <li>
        <b>Total</b>
        <span />
        <b className={classes['length']}>{milliseconds(timings.totalMs)}</b>
      </li>
    </ol>
  );
}
