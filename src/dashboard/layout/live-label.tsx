/** Says whether changes arrive by themselves. */
import { useIsLive } from '../shared/data/live';
import classes from './shell.module.css';

export function LiveLabel() {
  const isLive = useIsLive();
  return (
    <span className={classes['live']} role="status">
      <span className={classes['dot']} data-live={isLive || undefined} />
      <span>{isLive ? 'Live' : 'Reconnecting'}</span>
    </span>
  );
}
