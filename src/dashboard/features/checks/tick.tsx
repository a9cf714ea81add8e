/** The box that selects a row, in a label of a finger's size: a press beside the box counts as well. */
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
