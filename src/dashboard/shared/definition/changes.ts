/** Says in one line what a folded part of a form contains: the values that differ from their defaults. Pure. */
import { DEFAULT_WARN_DAYS } from '../../../contracts/certificates';
import { AUTH_WORDS, type AuthDraft } from '../auth/auth-draft';
import { countWords } from '../charts/counted';
import { describeFields } from '../form/problems/field-words';
import { formatLabel } from '../form/problems/labels';
import { hasProblemUnder, type Problems } from '../form/problems/problems';
import { type TlsDraft, tlsFields } from '../tls/tls-draft';
import type { DefinitionDraft, ScheduledDraft } from './definition-draft';
import { type RouteDraft, routeBody } from './request-draft';

/** Joins the changes. If there are none, returns `otherwise`. */
export function sumUp(changes: readonly string[], otherwise: string): string {
  return changes.length === 0 ? otherwise : changes.join(' · ');
}

/** The alert fields that the forms fold into "More about alerts". */
const FOLDED_ALERT_FIELDS = [
  'alerts.remindEveryMinutes',
  'dependsOn',
  'hours',
  'outside',
  'runbookUrl',
  'note',
];

/** All fields of the part of a form about alerts, by their names in /v1. */
export const ALERT_FIELDS: readonly string[] = [
  ...new Set(['alerts', ...FOLDED_ALERT_FIELDS.map((field) => field.replace(/\..*/, ''))]),
];

type FoldedDraft = Pick<DefinitionDraft, 'dependsOn' | 'hours' | 'runbookUrl' | 'note'> & {
  readonly alerts: Pick<DefinitionDraft['alerts'], 'remindEveryMinutes'>;
};

export function listAlertChanges(draft: FoldedDraft): readonly string[] {
  const { alerts, dependsOn, hours, runbookUrl, note } = draft;
  const { remindEveryMinutes } = alerts;
  return [
    remindEveryMinutes !== null && `Reminder every ${remindEveryMinutes} min`,
    dependsOn.length > 0 && `Depends on ${countWords(dependsOn.length, 'check')}`,
    hours.trim() !== '' && `Hours ${hours.trim()}`,
    runbookUrl.trim() !== '' && 'Runbook',
    note.trim() !== '' && 'Note',
  ].filter((text) => text !== false);
}

/** True if a folded alert field has a problem. */
export function hasFoldedProblem(problems: Problems): boolean {
  return FOLDED_ALERT_FIELDS.some((field) => hasProblemUnder(problems, field));
}

export function listAuthChanges({ type }: AuthDraft): readonly string[] {
  return type === null ? [] : [`${formatLabel('auth')}: ${AUTH_WORDS[type].label}`];
}

/** Lists the settings of TLS, proxy and versions. The texts of certificates and keys are left out. */
export function listConnectionChanges(
  draft: RouteDraft & { readonly tls: TlsDraft },
): readonly string[] {
  const tls = Object.keys(tlsFields(draft.tls)).map((name) => formatLabel(`tls.${name}`));
  return [...tls, ...describeFields(routeBody(draft))];
}

export function listWarnDaysChanges(warnDays: readonly number[]): readonly string[] {
  if (warnDays.join() === DEFAULT_WARN_DAYS.join()) return [];
  if (warnDays.length === 0) return ['No certificate warnings'];
  return [`Certificate warnings ${warnDays.join(', ')} days before`];
}

export function listVariableChanges(
  variables: readonly Pick<ScheduledDraft['variables'][number], 'name'>[],
): readonly string[] {
  const count = variables.filter(({ name }) => name.trim() !== '').length;
  return count === 0 ? [] : [countWords(count, 'variable')];
}

/** Lists group, tags and key. */
export function listNamingChanges({
  group,
  tags,
  key,
}: Pick<DefinitionDraft, 'group' | 'tags' | 'key'>): readonly string[] {
  return describeFields({
    ...(group.trim() !== '' && { group: group.trim() }),
    ...(tags.length > 0 && { tags }),
    ...(key.trim() !== '' && { key: key.trim() }),
  });
}
