/**
 * One row of the table of checks. A page has 600 cells, so cells are plain elements, and a row renders only when its
 * own data changes.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo } from 'react';
import { NoAlertsMark } from '../../shared/alerts/no-alerts-badge';
import { Heartbeats } from '../../shared/charts/heartbeats';
import { Spark } from '../../shared/charts/spark';
import { hourBars } from '../../shared/charts/spark-bars';
import type { ListedCheck } from '../../shared/data/api-types';
import { checkPath, findCheckType } from '../../shared/data/check-type';
import { formatDuration, milliseconds, percent, RelativeTime } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { SmallBadge } from '../../shared/ui/small-badge';
import { StatusIcon } from '../../shared/ui/status';
import classes from './checks.module.css';
import { RowMenu } from './row-menu';
import { reasonText, tlsDays } from './row-text';
import { Tick } from './tick';

interface CheckRowProps {
  readonly check: ListedCheck;
  readonly figures: ListedCheck['figures'];
  readonly recent: ListedCheck['recent'];
  /** True if a failure would notify no one. */
  readonly hasNoRecipients: boolean;
  readonly isSelected: boolean;
  /** Stable across renders; null when rows cannot be selected. */
  readonly onToggle: ((id: string) => void) | null;
}

/** Elements that handle clicks themselves. */
const OWN = 'a, button, input, label, [role=menu], [role=dialog]';

export const CheckRow = memo(function CheckRow(props: CheckRowProps) {
  const { check, figures, recent, hasNoRecipients, isSelected, onToggle } = props;
  const navigate = useNavigate();
  const { id, name, type, status, regions } = check;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    const isOutside = !(target instanceof Element) || !currentTarget.contains(target);
    if (isOutside || target.closest(OWN) !== null) return;
    if (window.getSelection()?.isCollapsed === false) return;
    void navigate({ to: checkPath(check) });
  };
  return (
    <tr
      data-row={id}
      data-status={status}
      className={classes['row']}
      data-selected={isSelected || undefined}
      onClick={open}
    >
      <td className={classes['check']}>
        {onToggle !== null && (
          <Tick aria-label={`Select ${name}`} checked={isSelected} onChange={() => onToggle(id)} />
        )}
      </td>
      <td className={classes['status']}>
        <StatusIcon status={status} />
      </td>
      <td className={classes['name']}>
        <Name check={check} hasNoRecipients={hasNoRecipients} />
      </td>
      <td className={classes['beats']}>
        {recent !== undefined && recent.length > 0 && (
          <Heartbeats beats={recent} of={type === 'scenario' ? 'run' : 'check'} />
        )}
      </td>
      <FigureCells figures={figures} />
      <td className={classes['interval']} data-number>
        {formatDuration(check.interval)}
        {regions.length > 0 && (
          <span className={classes['aside']} title={regions.join(', ')}>
            {regions.length === 1 ? ` ${regions[0]}` : ` ${regions.length} regions`}
          </span>
        )}
      </td>
      <td className={classes['last']} data-number>
        <span>{milliseconds(check.lastResponseTimeMs)}</span>{' '}
        <span className={classes['aside']}>
          <RelativeTime at={check.lastCheckedAt} />
        </span>
      </td>
      <Tls check={check} />
      <td className={classes['menu']}>
        <RowMenu check={check} />
      </td>
    </tr>
  );
});

function Name({ check, hasNoRecipients }: Pick<CheckRowProps, 'check' | 'hasNoRecipients'>) {
  const nowMs = useNowMs();
  const { name, url, type, steps, tags, status } = check;
  const about =
    reasonText(check, nowMs) ?? (findCheckType(check) === 'heartbeat' ? 'Heartbeat' : url);
  return (
    <>
      <Link to={checkPath(check)} className={classes['link'] ?? ''} data-row-link>
        {name}
      </Link>
      {type === 'scenario' && <SmallBadge text={steps === 1 ? '1 step' : `${steps} steps`} />}
      {check.tlsUnchecked && <SmallBadge text="TLS unchecked" />}
      {hasNoRecipients && <NoAlertsMark name={name} page={checkPath(check)} />}
      {tags.map((tag) => (
        <SmallBadge key={tag} text={tag} />
      ))}
      <div className={classes['about']} data-status={status} title={about}>
        {about}
      </div>
    </>
  );
}

function FigureCells({ figures }: Pick<CheckRowProps, 'figures'>) {
  const { uptime, p95Ms, hourlyP95Ms } = figures ?? {};
  return (
    <>
      <td className={classes['uptime24h']} data-number>
        {percent(uptime?.['24h'] ?? null)}
      </td>
      <td className={classes['uptime7d']} data-number>
        {percent(uptime?.['7d'] ?? null)}
      </td>
      <td className={classes['uptime30d']} data-number>
        {percent(uptime?.['30d'] ?? null)}
      </td>
      <td className={classes['p95']} data-number>
        <span className={classes['p95-value']}>{milliseconds(p95Ms ?? null)}</span>
        <span className={classes['spark']}>
          {hourlyP95Ms !== undefined && (
            <Spark bars={hourBars(hourlyP95Ms)} label="p95 of the last 24 hours" />
          )}
        </span>
      </td>
    </>
  );
}

function Tls({ check }: Pick<CheckRowProps, 'check'>) {
  const days = tlsDays(check, useNowMs());
  return (
    <td className={classes['tls']} data-number data-tone={days?.tone}>
      {days === null ? '–' : days.text}
    </td>
  );
}
