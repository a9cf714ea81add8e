/** One check of the table: how it is, why, how it did, and what can be done to it. */
import { Badge, Checkbox, Table, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { Spark } from '../../shared/charts/spark';
import { hoursOf } from '../../shared/charts/spark-bars';
import type { ListedCheck } from '../../shared/data/api-types';
import { pageOf } from '../../shared/data/checks';
import { lengthOf, milliseconds, percent, RelativeTime } from '../../shared/text/time';
import { useNowMs } from '../../shared/text/use-now';
import { Heartbeats } from '../../shared/ui/heartbeats';
import { NoAlertsBadge } from '../../shared/ui/no-alerts-badge';
import { StatusIcon } from '../../shared/ui/status';
import classes from './checks.module.css';
import { RowMenu } from './row-menu';
import { reasonText, tlsDays } from './row-text';
import type { Selection } from './use-selection';

interface CheckRowProps {
  readonly check: ListedCheck;
  readonly figures: ListedCheck['figures'];
  readonly recent: ListedCheck['recent'];
  readonly selection: Selection | null;
}

/** What has a use of its own when it is pressed. */
const OWN = 'a, button, input, label, [role=menu], [role=dialog]';

export function CheckRow({ check, figures, recent, selection }: CheckRowProps) {
  const navigate = useNavigate();
  const { id, name, type, status } = check;
  const open = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    const isOutside = !(target instanceof Element) || !currentTarget.contains(target);
    if (isOutside || target.closest(OWN) !== null) return;
    if (window.getSelection()?.isCollapsed === false) return;
    void navigate({ to: pageOf(check) });
  };
  return (
    <Table.Tr
      data-row={id}
      data-status={status}
      className={classes['row'] ?? ''}
      data-selected={selection?.ids.has(id) === true || undefined}
      onClick={open}
    >
      <Table.Td className={classes['check'] ?? ''}>
        {selection !== null && type === 'monitor' && (
          <Checkbox
            size="xs"
            aria-label={`Select ${name}`}
            checked={selection.ids.has(id)}
            onChange={() => selection.toggle(id)}
          />
        )}
      </Table.Td>
      <Table.Td className={classes['status'] ?? ''}>
        <StatusIcon status={status} />
      </Table.Td>
      <Table.Td className={classes['name'] ?? ''}>
        <Name check={check} />
      </Table.Td>
      <Table.Td className={classes['beats'] ?? ''}>
        {recent !== undefined && recent.length > 0 && <Heartbeats beats={recent} />}
      </Table.Td>
      <FigureCells figures={figures} />
      <Table.Td className={classes['interval'] ?? ''} data-number>
        {lengthOf(check.interval)}
      </Table.Td>
      <Table.Td className={classes['last'] ?? ''} data-number>
        <span>{milliseconds(check.lastResponseTimeMs)}</span>{' '}
        <Text span size="xs" c="dimmed">
          <RelativeTime at={check.lastCheckedAt} />
        </Text>
      </Table.Td>
      <Tls check={check} />
      <Table.Td className={classes['menu'] ?? ''}>
        <RowMenu check={check} />
      </Table.Td>
    </Table.Tr>
  );
}

function Name({ check }: { readonly check: ListedCheck }) {
  const nowMs = useNowMs();
  const { name, url, type, steps, tags, status } = check;
  const about = reasonText(check, nowMs) ?? (url === '' ? 'Heartbeat' : url);
  return (
    <>
      <Link to={pageOf(check)} className={classes['link'] ?? ''} data-row-link>
        {name}
      </Link>
      {type === 'scenario' && (
        <Badge size="xs" variant="default" tt="none" ml={6}>
          {steps === 1 ? '1 step' : `${steps} steps`}
        </Badge>
      )}
      <NoAlertsBadge alerts={check.alerts} />
      {tags.map((tag) => (
        <Badge key={tag} size="xs" variant="default" tt="none" ml={6}>
          {tag}
        </Badge>
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
      <Table.Td className={classes['uptime24h'] ?? ''} data-number>
        {percent(uptime?.['24h'] ?? null)}
      </Table.Td>
      <Table.Td className={classes['uptime7d'] ?? ''} data-number>
        {percent(uptime?.['7d'] ?? null)}
      </Table.Td>
      <Table.Td className={classes['uptime30d'] ?? ''} data-number>
        {percent(uptime?.['30d'] ?? null)}
      </Table.Td>
      <Table.Td className={classes['p95'] ?? ''} data-number>
        <span className={classes['p95-value']}>{milliseconds(p95Ms ?? null)}</span>
        <span className={classes['spark']}>
          {hourlyP95Ms !== undefined && (
            <Spark bars={hoursOf(hourlyP95Ms)} label="p95 of the last 24 hours" />
          )}
        </span>
      </Table.Td>
    </>
  );
}

function Tls({ check }: { readonly check: ListedCheck }) {
  const days = tlsDays(check, useNowMs());
  return (
    <Table.Td className={classes['tls'] ?? ''} data-number data-tone={days?.tone}>
      {days === null ? '–' : days.text}
    </Table.Td>
  );
}
