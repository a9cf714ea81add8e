/** A badge after a name. It consists of plain elements, because a list has a hundred badges. */
import type { ReactNode } from 'react';
import classes from './small-badge.module.css';

interface SmallBadgeProps {
  readonly text: string;
  readonly icon?: ReactNode;
  readonly title?: string;
  /** The colour of the text, the icon and the edge. */
  readonly colour?: string;
}

export function SmallBadge({ text, icon, title, colour }: SmallBadgeProps) {
  return (
    <span
      className={classes['badge']}
      title={title ?? text}
      style={colour === undefined ? undefined : { color: colour, borderColor: 'currentcolor' }}
    >
      {icon}
      <span className={classes['text']}>{text}</span>
    </span>
  );
}
