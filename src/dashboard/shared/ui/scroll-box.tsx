/** A part of the page that scrolls by itself, also by keyboard. The page never scrolls sideways. */
import type { ReactNode } from 'react';
import classes from './scroll-box.module.css';

interface ScrollBoxProps {
  /** The name of the box, for people who reach it by keyboard. */
  readonly label: string;
  /** The width in pixels below which the box scrolls instead of squeezing its content. */
  readonly minWidth?: number;
  readonly children: ReactNode;
}

export function ScrollBox({ label, minWidth, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element.
    <section className={classes['box']} aria-label={label} tabIndex={0}>
      <div style={{ minWidth }}>{children}</div>
    </section>
  );
}
