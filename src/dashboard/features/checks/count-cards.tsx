/** The number of checks in each status. A click on a number filters the table by that status. */
import { UnstyledButton } from '@mantine/core';
import type { ListedCheck, Status } from '../../shared/data/api-types';
import { useSearchState } from '../../shared/data/search';
import { isStatusChosen, toggleStatus } from '../../shared/list/list-filters';
import { STATUS_WORDS } from '../../shared/text/strings';
import { StatusIcon } from '../../shared/ui/status';
import classes from './checks.module.css';

/** Statuses that are always shown. Others are shown if a check has them. */
const ALWAYS: readonly Status[] = ['down', 'up', 'paused'];
const ORDER: readonly Status[] = [
  'down',
  'degraded',
  'up',
  'maintenance',
  'paused',
  'pending',
  'unknown',
];

export function CountCards({ checks }: { readonly checks: readonly ListedCheck[] }) {
  const [search, setSearch] = useSearchState();
  const countOf = (status: Status) => checks.filter((check) => check.status === status).length;
  const shown = ORDER.map((status) => [status, countOf(status)] as const).filter(
    ([status, count]) => ALWAYS.includes(status) || count > 0 || isStatusChosen(search, status),
  );
  return (
    <fieldset className={classes['cards']} aria-label="Filter by status">
      <UnstyledButton
        className={classes['card']}
        aria-pressed={search['status'] === undefined}
        onClick={() => setSearch({ status: undefined, page: undefined })}
      >
        <span className={classes['number']}>{checks.length}</span>
        <span>All</span>
      </UnstyledButton>
      {shown.map(([status, count]) => (
        <UnstyledButton
          key={status}
          className={classes['card']}
          aria-pressed={isStatusChosen(search, status)}
          onClick={() =>
            setSearch((current) => ({ status: toggleStatus(current, status), page: undefined }))
          }
        >
          <span className={classes['number']}>{count}</span>
          <span className={classes['card-word']}>
            <span aria-hidden className={classes['card-icon']}>
              <StatusIcon status={status} size={15} />
            </span>
            {STATUS_WORDS[status]}
          </span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
