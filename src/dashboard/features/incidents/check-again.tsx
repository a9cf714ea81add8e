/** A button that checks immediately whether a failure is over. */
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useCheckNow } from '../../shared/actions/use-check-now';
import { useRunNow } from '../../shared/actions/use-run-now';
import { ACTION_TEXT } from '../../shared/actions/words';
import { useCan } from '../../shared/data/session';
import type { IncidentCheck } from './use-check';

/** Renders nothing for a heartbeat, because no one can check it, and while the check is paused. */
export function CheckAgain({ check }: { readonly check: IncidentCheck }) {
  const canRun = useCan('run');
  const checkNow = useCheckNow();
  const runNow = useRunNow();
  if (!canRun || check.state !== 'active') return null;
  if ('type' in check && check.type === 'heartbeat') return null;
  const isMonitor = 'type' in check;
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      onClick={() => (isMonitor ? checkNow(check) : runNow(check))}
    >
      {isMonitor ? ACTION_TEXT.checkNow : ACTION_TEXT.run}
    </Button>
  );
}
