/** The checkbox that selects a row. Its label, which is large enough for touch, selects the row, too. */
import type { ComponentPropsWithRef } from 'react';
import classes from './checks.module.css';

interface TickProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'className'> {
  readonly 'aria-label': string;
}

export function Tick(props: TickProps) {
  return (
    <label className={classes['tick']}>
      <input type="checkbox" {...props} />
    </label>
  );
}
