/** The alert fields that are rarely used. They are folded until the user opens them or one of them has a problem. */
import { RemindField } from '../alerts/alerts-field';
import { DependsOnField } from '../alerts/depends-on-field';
import { GuidanceField } from '../alerts/guidance-field';
import { HoursField } from '../alerts/hours-field';
import { FoldedPart } from '../form/fold/folded-part';
import type { Problems } from '../form/problems/problems';
import { hasFoldedProblem, listAlertChanges, sumUp } from './changes';
import type { DefinitionDraft } from './definition-draft';
import { OriginNote } from './origin-note';

interface MoreAlertsProps {
  readonly draft: DefinitionDraft;
  readonly set: (patch: Partial<DefinitionDraft>) => void;
  readonly problems: Problems;
}

export function MoreAlerts({ draft, set, problems }: MoreAlertsProps) {
  return (
    <FoldedPart
      title="More about alerts"
      summary={sumUp(listAlertChanges(draft), 'Reminders, dependencies, runbook, note')}
      isBroken={hasFoldedProblem(problems)}
    >
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
    </FoldedPart>
  );
}
