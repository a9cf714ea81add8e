/** Silences the alerts of an incident for an hour with one tap. */
import { Button, type ButtonProps } from '@mantine/core';
import { IconBellZ } from '@tabler/icons-react';
import type { Incident } from '../data/api-types';
import { useAct } from './use-act';

export const SNOOZED = 'Incident snoozed.';
const HOUR = { minutes: 60 };

interface SnoozeHourProps {
  readonly incidentId: string;
  readonly size?: ButtonProps['size'];
}

export function SnoozeHour({ incidentId, size }: SnoozeHourProps) {
  const { act, isPending } = useAct<Incident>(['/v1/incidents']);
  const path = `/v1/incidents/${incidentId}/snooze`;
  return (
    <Button
      {...(size !== undefined && { size })}
      variant="default"
      loading={isPending}
      onClick={() => act({ method: 'POST', path, body: HOUR }, { done: SNOOZED })}
      leftSection={<IconBellZ size={size === undefined ? 16 : 14} aria-hidden />}
    >
      Snooze 1 h
    </Button>
  );
}
