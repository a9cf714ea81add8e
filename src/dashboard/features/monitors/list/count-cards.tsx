/** How many monitors are in which status; pressing a count narrows the list to it. */
import { UnstyledButton } from '@mantine/core';
import type { Overview, Status } from '../../../shared/data/api-types';
import { useSearchState } from '../../../shared/data/search';
import { isStatusChosen, toggleStatus } from '../../../shared/list/list-filters';
import { STATUS_WORDS } from '../../../shared/text/strings';
import { StatusIcon } from '../../../shared/ui/status';
import classes from '../monitors.module.css';
import { LIST_TEXT } from '../words';

/** These are always there; the others when there are any. */
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

export function CountCards({ tally }: { readonly tally: Overview['monitors'] }) {
  const [search, setSearch] = useSearchState();
  const shown = ORDER.filter(
    (status) =>
      ALWAYS.includes(status) || tally.byStatus[status] > 0 || isStatusChosen(search, status),
  );
  return (
    <fieldset className={classes['cards']} aria-label="Filter by status">
      <UnstyledButton
        className={classes['card']}
        aria-pressed={search['status'] === undefined}
        onClick={() => setSearch({ status: undefined, cursor: undefined })}
      >
        <span className={classes['number']}>{tally.total}</span>
        <span>{LIST_TEXT.all}</span>
      </UnstyledButton>
      {shown.map((status) => (
        <UnstyledButton
          key={status}
          className={classes['card']}
          aria-pressed={isStatusChosen(search, status)}
          onClick={() => setSearch({ status: toggleStatus(search, status), cursor: undefined })}
        >
          <CardText status={status} count={tally.byStatus[status]} />
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

function CardText({ status, count }: { readonly status: Status; readonly count: number }) {
  return (
    <>
      <span className={classes['number']}>{count}</span>
      <span className={classes['card-word']}>
        <span aria-hidden className={classes['card-icon']}>
          <StatusIcon status={status} size={15} />
        </span>
        {STATUS_WORDS[status]}
      </span>
    </>
  );
}
