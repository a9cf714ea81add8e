/** The strip above everything else on the page of a check in maintenance: which window it is, and until when it lasts. */
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isTargeted, type Targeted } from '../../../domain/definitions/is-targeted';
import { useEndMaintenance } from '../actions/use-end-maintenance';
import type { MaintenanceWindow, Monitor, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { useCan } from '../data/session';
import { MODE_WORDS } from '../text/strings';
import { PlannedTime } from '../text/time';
import classes from './trouble-strip.module.css';

interface MaintenanceStripProps {
  readonly resource: Pick<Monitor, 'status'> & Targeted;
}

/** Shown only while the check is in maintenance. Shows one strip for each window in progress. */
export function MaintenanceStrip({ resource }: MaintenanceStripProps) {
  const isInMaintenance = resource.status === 'maintenance';
  const { data } = useRead<Page<MaintenanceWindow>>('/v1/maintenance-windows?limit=100', {
    enabled: isInMaintenance,
  });
  if (!isInMaintenance) return null;
  return (data?.data ?? [])
    .filter(({ state, target }) => state === 'active' && isTargeted(target, resource))
    .map((window) => <WindowStrip key={window.id} window={window} />);
}

function WindowStrip({ window }: { readonly window: MaintenanceWindow }) {
  const { name, mode, nextOccurrences } = window;
  const canWrite = useCan('write');
  const { end, isPending } = useEndMaintenance();
  const [current] = nextOccurrences;
  return (
    <Alert
      mb="md"
      role="status"
      variant="outline"
      color="blue"
      className={classes['strip'] ?? ''}
      data-status="maintenance"
      icon={<IconTool aria-hidden color="var(--kw-maintenance)" />}
      title={
        <Text span inherit c="var(--kw-maintenance)">
          In maintenance
          {current !== undefined && (
            <>
              {' until '}
              <PlannedTime at={current.endsAt} />
            </>
          )}
        </Text>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{name}</b> · {MODE_WORDS[mode]}
      </Text>
      <Group gap="md" mt={4} lh="24px">
        {canWrite && (
          <Button size="compact-sm" loading={isPending} onClick={() => end(window)}>
            End now
          </Button>
        )}
        <Anchor component={Link} to="/maintenance" inherit>
          View window
        </Anchor>
      </Group>
    </Alert>
  );
}
