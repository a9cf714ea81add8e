/** A button to the incident during which a check failed. */
import { Button } from '@mantine/core';
import { IconFlame } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Incident, Page } from '../data/api-types';
import { useRead } from '../data/queries';
import { wasDown } from '../data/trouble';
import { withQuery } from '../data/with-query';
import classes from './results.module.css';

interface IncidentLinkProps {
  /** Id of the monitor or scenario. */
  readonly resourceId: string;
  /** The slot of the failed check. */
  readonly slot: string;
}

/** Hidden until the incident is read, so that nothing moves. Stays hidden if the failure did not open an incident. */
export function IncidentLink({ resourceId, slot }: IncidentLinkProps) {
  // One millisecond is added, because an outage may begin at the slot itself.
  const to = new Date(Date.parse(slot) + 1).toISOString();
  const path = withQuery('/v1/incidents', { resourceId, to, limit: 1 });
  const { data, isPlaceholderData } = useRead<Page<Incident>>(path);
  const [newest] = isPlaceholderData ? [] : (data?.data ?? []);
  const isFound = newest !== undefined && wasDown(newest, slot);
  return (
    <Button
      component={Link}
      to={isFound ? `/incidents/${newest.id}` : '.'}
      variant="default"
      leftSection={<IconFlame size={16} aria-hidden />}
      className={isFound ? '' : (classes['waits'] ?? '')}
    >
      View incident
    </Button>
  );
}
