/** Whether changes arrive by themselves. */
import { useIsLive } from '../shared/data/live';
import { TEXT } from '../shared/text/strings';
import classes from './shell.module.css';

export function LiveLabel() {
  const isLive = useIsLive();
  return (
    <span className={classes['live']} role="status">
      <span className={classes['dot']} data-live={isLive || undefined} />
      <span>{isLive ? TEXT.live : TEXT.reconnecting}</span>
    </span>
  );
}
