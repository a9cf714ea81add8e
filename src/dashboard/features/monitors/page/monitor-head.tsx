/** The header of a monitor's page. */
import { ActionIcon, Anchor, Button, Menu, Text } from '@mantine/core';
import { IconDots, IconEdit, IconFolder, IconRefresh, IconTag } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { networkMethod } from '../../../../contracts/kinds';
import { formatTargetText } from '../../../../kinds/words';
import { PauseButton, PausedSince } from '../../../shared/actions/pause-button';
import { TemporalItem } from '../../../shared/actions/temporal-item';
import { useCheckNow } from '../../../shared/actions/use-check-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { WriteItems } from '../../../shared/actions/write-items';
import { NoAlertsBadge } from '../../../shared/alerts/no-alerts-badge';
import type { HttpMonitor, Monitor, NetworkMonitor } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { ExpectedPing } from '../../../shared/results/expected-ping';
import { Expiry } from '../../../shared/results/expiry';
import { everyWords, RelativeTime } from '../../../shared/text/time';
import { PageHead } from '../../../shared/ui/page-head';
import { StatusLabel } from '../../../shared/ui/status';
import { FlappingMark } from './flapping-mark';
import { LastFailure } from './last-failure';
import classes from './monitor-head.module.css';

/** True if the page shows the trouble strip. The button of the strip is then the only primary button of the page. */
export function isInTrouble({ status }: Pick<Monitor, 'status'>): boolean {
  return status === 'down' || status === 'degraded';
}

/**
 * Shows the details of the monitor, except while the page shows the trouble strip. The details are then below the
 * strip.
 */
export function MonitorHead({ monitor }: { readonly monitor: Monitor }) {
  const canRun = useCan('run');
  const canWrite = useCan('write');
  const checkNow = useCheckNow();
  return (
    <PageHead
      title={monitor.name}
      aside={
        <>
          <StatusLabel status={monitor.status} />
          <FlappingMark monitorId={monitor.id} />
          <NoAlertsBadge
            of={{ ...monitor, type: monitor.type === 'heartbeat' ? monitor.type : 'monitor' }}
            page={`/monitors/${monitor.id}`}
          />
        </>
      }
      about={isInTrouble(monitor) ? undefined : <MonitorAbout monitor={monitor} />}
    >
      {canRun && monitor.state === 'active' && monitor.type !== 'heartbeat' && (
        <Button
          variant={isInTrouble(monitor) ? 'default' : 'filled'}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => checkNow(monitor)}
        >
          {ACTION_TEXT.checkNow}
        </Button>
      )}
      {canWrite && <PauseButton kind="monitors" resource={monitor} />}
      {canWrite && (
        <Button
          variant="default"
          component={Link}
          to={`/monitors/${monitor.id}/edit`}
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          {ACTION_TEXT.edit}
        </Button>
      )}
      <MoreMenu monitor={monitor} />
    </PageHead>
  );
}

export function MonitorAbout({ monitor }: { readonly monitor: Monitor }) {
  return (
    <>
      {monitor.type === 'heartbeat' ? (
        <>
          <ExpectedPing monitor={monitor}>
            <Labels of={monitor} />
          </ExpectedPing>
          {monitor.lastPingAt !== null && !isInTrouble(monitor) && (
            <LastFailure monitorId={monitor.id} />
          )}
        </>
      ) : (
        <SentAbout monitor={monitor} />
      )}
      <PausedSince of={monitor} />
      <Warnings monitor={monitor} />
    </>
  );
}

function SentAbout({ monitor }: { readonly monitor: HttpMonitor | NetworkMonitor }) {
  const { interval, regions } = monitor;
  const regionText = regions.length === 1 ? regions[0] : `${regions.length} regions`;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {monitor.type === 'http' ? (
          <Request monitor={monitor} />
        ) : (
          `${networkMethod(monitor.type)} ${formatTargetText(monitor)}`
        )}
      </Text>
      <Text size="sm" c="dimmed">
        Checked {everyWords(interval)} from <span title={regions.join(', ')}>{regionText}</span>
        {monitor.lastCheckedAt !== null && (
          <>
            , last <RelativeTime at={monitor.lastCheckedAt} />
          </>
        )}
        <Labels of={monitor} />
      </Text>
    </>
  );
}

function Request({ monitor: { method, url } }: { readonly monitor: HttpMonitor }) {
  return (
    <>
      {method}{' '}
      {isFetchable(url) ? (
        <Anchor href={url} target="_blank" rel="noreferrer noopener" inherit>
          {url}
        </Anchor>
      ) : (
        url
      )}
    </>
  );
}

/** True if a browser can open the URL. A URL with references cannot be opened. */
function isFetchable(url: string): boolean {
  return /^https?:\/\//i.test(url) && !url.includes('{{');
}

/**
 * Shows when the certificate or the domain registration expires. Also links to the open incident, except when the
 * trouble strip already shows the incident.
 */
function Warnings({ monitor }: { readonly monitor: Monitor }) {
  const { currentIncidentId } = monitor;
  return (
    <>
      {currentIncidentId !== null && !isInTrouble(monitor) && (
        <Text size="sm" mt={8}>
          <Anchor component={Link} to={`/incidents/${currentIncidentId}`} inherit>
            View incident
          </Anchor>
        </Text>
      )}
      {'tlsExpiresAt' in monitor && (
        <Expiry
          of="Certificate"
          at={monitor.tlsExpiresAt ?? null}
          warning={monitor.tlsWarning ?? null}
        />
      )}
      {'domainExpiresAt' in monitor && (
        <Expiry
          of="Registration"
          at={monitor.domainExpiresAt ?? null}
          warning={monitor.domainWarning ?? null}
        />
      )}
    </>
  );
}

/** The menu of less common actions. Leaves out actions that would be refused. */
function MoreMenu({ monitor }: { readonly monitor: Monitor }) {
  const canWrite = useCan('write');
  const { url } = monitor.links.temporal;
  if (!canWrite && url === null) return null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={ACTION_TEXT.actions}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canWrite ? (
          <WriteItems kind="monitors" resource={monitor} isOnItsPage>
            <TemporalItem url={url} />
          </WriteItems>
        ) : (
          <TemporalItem url={url} />
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the group and the tags. Each begins with a separating dot. */
function Labels({ of: { group, tags } }: { readonly of: Pick<Monitor, 'group' | 'tags'> }) {
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
