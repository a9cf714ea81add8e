/** Where the time of one request went: five phases on one bar, with their lengths in words below. */
import { milliseconds } from '../text/time';
import { phasesOf, type Timings } from './measured';
import classes from './results.module.css';
import { PHASE_WORDS, RESULT_TEXT } from './words';

export function PhaseBar({ timings }: { readonly timings: Timings }) {
  const happened = phasesOf(timings).filter(({ ms }) => ms !== null);
  return (
    <div>
      <div className={classes['bar']} aria-hidden>
        {happened.map(({ name, ms, percent }) => (
          <span
            key={name}
            className={classes['part']}
            data-phase={name}
            style={{ width: `${percent}%` }}
            title={`${PHASE_WORDS[name]} ${milliseconds(ms)}`}
          />
        ))}
      </div>
      <ul className={classes['legend']}>
        {happened.map(({ name, ms }) => (
          <li key={name}>
            <span className={classes['swatch']} data-phase={name} aria-hidden />
            {PHASE_WORDS[name]} {milliseconds(ms)}
          </li>
        ))}
        <li>
          {RESULT_TEXT.total} <b>{milliseconds(timings.totalMs)}</b>
        </li>
      </ul>
    </div>
  );
}
