/** The alert fields that are rarely used. They are folded until the user opens them or one of them has a problem. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { RemindField } from '../alerts/alerts-field';
import { DependsOnField } from '../alerts/depends-on-field';
import { GuidanceField } from '../alerts/guidance-field';
import { HoursField } from '../alerts/hours-field';
import type { Problems } from '../form/problems';
import { hasFoldedProblem, listAlertChanges } from './alert-changes';
import type { DefinitionDraft } from './definition-draft';
import classes from './more-alerts.module.css';
import { OriginNote } from './origin-note';

interface MoreAlertsProps {
  readonly draft: DefinitionDraft;
  readonly set: (patch: Partial<DefinitionDraft>) => void;
  readonly problems: Problems;
}

export function MoreAlerts({ draft, set, problems }: MoreAlertsProps) {
  const [isOpen, setOpen] = useState(false);
  const changed = listAlertChanges(draft);
  return (
    <details
      open={isOpen || hasFoldedProblem(problems)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <Text component="summary" size="sm" className={classes['summary'] ?? ''}>
        More about alerts{' '}
        <Text span size="xs" c="dimmed">
          {changed.length === 0 ? 'Reminders, dependencies, runbook, note' : changed.join(' · ')}
        </Text>
      </Text>
      <Stack gap="sm" mt="xs">
        <RemindField
          value={draft.alerts}
          onChange={(alerts) => set({ alerts })}
          problems={problems}
        />
        <DependsOnField
          value={draft.dependsOn}
          onChange={(dependsOn) => set({ dependsOn })}
          problems={problems}
        />
        <HoursField value={draft} onChange={set} problems={problems} />
        <OriginNote field="hours" />
        <OriginNote field="outside" />
        <GuidanceField value={draft} onChange={set} problems={problems} />
        <OriginNote field="runbookUrl" />
        <OriginNote field="note" />
      </Stack>
    </details>
  );
}
