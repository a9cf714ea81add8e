/** Headers as they were sent or received, collapsed until someone opens them. */
import type { Result } from '../data/api-types';
import classes from './results.module.css';

type HeaderLines = NonNullable<NonNullable<Result['response']>['headers']>;

interface HeaderListProps {
  readonly title: string;
  /** null if the headers were not kept. */
  readonly headers: HeaderLines | null;
  readonly isOpen: boolean;
}

export function HeaderList({ title, headers, isOpen }: HeaderListProps) {
  if (headers === null || headers.length === 0) return null;
  return (
    <details className={classes['headers']} open={isOpen}>
      <summary>
        {title} ({headers.length})
      </summary>
      <dl>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur several times.
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
