/** Headers as they were sent or came, folded until someone asks for them. */
import type { Result } from '../data/api-types';
import classes from './results.module.css';

type HeaderLines = NonNullable<NonNullable<Result['response']>['headers']>;

interface HeaderListProps {
  readonly title: string;
  /** null: they were not kept. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may come several times.
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
