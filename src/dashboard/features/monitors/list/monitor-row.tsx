/** One monitor of the list: status, name and address, its last checks, and what can be done to it. */
import { Badge, Checkbox, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedMonitor } from '../../../shared/data/api-types';
import { recentP95 } from '../../../shared/data/recent-p95';
import { milliseconds, RelativeTime } from '../../../shared/text/time';
import { Heartbeats } from '../../../shared/ui/heartbeats';
import { NoAlertsBadge } from '../../../shared/ui/no-alerts-badge';
import { StatusIcon } from '../../../shared/ui/status';
import classes from '../monitors.module.css';
import { RowMenu } from './row-menu';

interface MonitorRowProps {
  readonly monitor: ListedMonitor;
  /** null where nothing can be selected. */
  readonly selection: { readonly isOn: boolean; readonly onToggle: () => void } | null;
}

export function MonitorRow({ monitor, selection }: MonitorRowProps) {
  const { id, name, url, status, recent, tags, lastCheckedAt } = monitor;
  const last = recent?.at(-1)?.responseTimeMs ?? null;
  return (
    <li className={classes['row']} data-selectable={selection !== null} data-row={id}>
      {selection !== null && (
        <Checkbox
          size="xs"
          className={classes['check'] ?? ''}
          aria-label={`Select ${name}`}
          checked={selection.isOn}
          onChange={selection.onToggle}
        />
      )}
      <span className={classes['icon']}>
        <StatusIcon status={status} />
      </span>
      <div className={classes['name']}>
        <Link to={`/monitors/${id}`} className={classes['link']}>
          {name}
        </Link>
        <NoAlertsBadge alerts={monitor.alerts} />
        {tags.map((tag) => (
          <Badge key={tag} size="xs" variant="default" tt="none" ml={6}>
            {tag}
          </Badge>
        ))}
        <Text size="xs" c="dimmed" truncate title={url}>
          {url}
        </Text>
      </div>
      <div className={classes['beats']}>
        {recent !== undefined && recent.length > 0 && <Heartbeats beats={recent} />}
      </div>
      <div className={classes['last']}>
        <Text size="sm">
          {milliseconds(last)} <P95 beats={recent ?? []} />
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={lastCheckedAt} />
        </Text>
      </div>
      <div className={classes['menu']}>
        <RowMenu monitor={monitor} />
      </div>
    </li>
  );
}

function P95({ beats }: { readonly beats: NonNullable<ListedMonitor['recent']> }) {
  const p95 = recentP95(beats);
  if (p95 === null) return null;
  return (
    <Text
      span
      size="xs"
      c="dimmed"
      title={`Of the last ${beats.length} checks, 95% were this fast or faster`}
    >
      p95 {milliseconds(p95)}
    </Text>
  );
}
