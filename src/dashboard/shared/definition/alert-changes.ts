/** The alert fields that a form folds: which of them differ from their defaults, and which have problems. */
import { hasProblemUnder, type Problems } from '../form/problems';
import type { DefinitionDraft } from './definition-draft';

const FOLDED_FIELDS = [
  'alerts.remindEveryMinutes',
  'dependsOn',
  'hours',
  'outside',
  'runbookUrl',
  'note',
];

type FoldedDraft = Pick<DefinitionDraft, 'dependsOn' | 'hours' | 'runbookUrl' | 'note'> & {
  readonly alerts: Pick<DefinitionDraft['alerts'], 'remindEveryMinutes'>;
};

/** Returns one text for each folded field with a value, in the order of the fields. */
export function listAlertChanges(draft: FoldedDraft): readonly string[] {
  const { alerts, dependsOn, hours, runbookUrl, note } = draft;
  const { remindEveryMinutes } = alerts;
  return [
    remindEveryMinutes !== null && `Reminder every ${remindEveryMinutes} min`,
    dependsOn.length > 0 &&
      `Depends on ${dependsOn.length === 1 ? '1 check' : `${dependsOn.length} checks`}`,
    hours.trim() !== '' && `Hours: ${hours.trim()}`,
    runbookUrl.trim() !== '' && 'Runbook',
    note.trim() !== '' && 'Note',
  ].filter((text) => text !== false);
}

/** True if a folded field has a problem. */
export function hasFoldedProblem(problems: Problems): boolean {
  return FOLDED_FIELDS.some((field) => hasProblemUnder(problems, field));
}
