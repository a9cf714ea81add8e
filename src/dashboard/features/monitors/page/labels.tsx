/** The group and the tags of a monitor, distinguished by icons. */
import { IconFolder, IconTag } from '@tabler/icons-react';
import type { Monitor } from '../../../shared/data/api-types';
import classes from './monitor-head.module.css';

/** Each label begins with a separating dot. */
export function Labels({ of: { group, tags } }: { readonly of: Pick<Monitor, 'group' | 'tags'> }) {
  return (
    <>
      {group !== null && (
        <>
          {' · '}
          <IconFolder size={13} aria-label="Group" className={classes['mark']} /> {group}
        </>
      )}
      {tags.map((tag) => (
        <span key={tag}>
          {' · '}
          <IconTag size={13} aria-label="Tag" className={classes['mark']} /> {tag}
        </span>
      ))}
    </>
  );
}
