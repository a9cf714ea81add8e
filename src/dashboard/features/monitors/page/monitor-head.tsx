/** The header of a monitor's page. */
import { Anchor, Button, Text } from '@mantine/core';
import { IconEdit, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { networkMethod } from '../../../../contracts/kinds';
import { targetText } from '../../../../kinds/words';
import { PauseButton, PausedSince } from '../../../shared/actions/pause-button';
import { useCheckNow } from '../../../shared/actions/use-check-now';
import { ACTION_TEXT } from '../../../shared/actions/words';
import { NoAlertsBadge } from '../../../shared/alerts/no-alerts-badge';
import type { HttpMonitor, Monitor, NetworkMonitor } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { Expiry } from '../../../shared/results/expiry';
import { everyWords, RelativeTime } from '../../../shared/text/time';
import { PageHead } from '../../../shared/ui/page-head';
import { StatusLabel } from '../../../shared/ui/status';
import { HeartbeatAbout } from './heartbeat-about';
import { Labels } from './labels';
import { MoreMenu } from './more-menu';

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
          <NoAlertsBadge
            of={{ ...monitor, type: monitor.type === 'heartbeat' ? monitor.type : 'monitor' }}
            page={`/monitors/${monitor.id}`}
          />
        </>
      }
      about={<About monitor={monitor} />}
    >
      {canRun && monitor.state === 'active' && monitor.type !== 'heartbeat' && (
        <Button
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

function About({ monitor }: { readonly monitor: Monitor }) {
  return (
    <>
      {monitor.type === 'heartbeat' ? (
        <HeartbeatAbout monitor={monitor} />
      ) : (
        <SentAbout monitor={monitor} />
      )}
      <PausedSince of={monitor} />
      <Worries monitor={monitor} />
    </>
  );
}

function SentAbout({ monitor }: { readonly monitor: HttpMonitor | NetworkMonitor }) {
  const { interval, regions } = monitor;
  const places = regions.length === 1 ? regions[0] : `${regions.length} regions`;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {monitor.type === 'http' ? (
          <Request monitor={monitor} />
        ) : (
          `${networkMethod(monitor.type)} ${targetText(monitor)}`
        )}
      </Text>
      <Text size="sm" c="dimmed">
        Checked {everyWords(interval)} from <span title={regions.join(', ')}>{places}</span>
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

/** False for a URL with references. */
function isFetchable(url: string): boolean {
  return /^https?:\/\//i.test(url) && !url.includes('{{');
}

/** A link to the open incident, and when the certificate or the domain registration expires. */
function Worries({ monitor }: { readonly monitor: Monitor }) {
  const { currentIncidentId, status } = monitor;
  const isInStrip = status === 'down' || status === 'degraded';
  return (
    <>
      {currentIncidentId !== null && !isInStrip && (
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
