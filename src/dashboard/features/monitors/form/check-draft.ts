/** What /v1 would say of a draft, by the same shapes, before it is sent. */
import { validate } from '../../../../schemas/issues';
import { monitorBody } from '../../../../schemas/monitor';
import { REQUEST_OPTION_NAMES } from '../../../../schemas/request-options';
import { hasProblemUnder, type Problems } from '../../../shared/form/problems';
import { bodyField, type GivenVariable, problemOfBody } from '../../../shared/form/rows';
import { type MonitorDefinition, type MonitorDraft, toMonitorBody } from './monitor-draft';

/** Empty: it can be saved, as far as one can tell from here. */
export function problemsOfDraft(draft: MonitorDraft): Problems {
  const broken = problemOfBody(draft.body);
  const readable: MonitorDraft =
    broken === undefined ? draft : { ...draft, body: { mode: 'none', text: '' } };
  const checked = validate(monitorBody, toMonitorBody(readable));
  const problems = checked.ok ? [] : checked.problems;
  return broken === undefined
    ? problems
    : [...problems, { path: bodyField(draft.body.mode), message: broken }];
}

export type ReadYaml =
  | { readonly ok: true; readonly definition: MonitorDefinition }
  | { readonly ok: false; readonly problems: Problems };

interface TypedParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  readonly form?: Readonly<Record<string, string>> | null;
}

/**
 * What was typed as YAML, held against the shape; problems carry the path of their field. The shape
 * fills defaults in; headers, variables and forms are taken as they were typed.
 */
export function readMonitorYaml(typed: unknown): ReadYaml {
  const checked = validate(monitorBody, typed);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  if (checked.value.type !== 'http')
    return { ok: false, problems: [{ path: 'type', message: 'must be http' }] };
  // The shape has seen that they are such.
  const { headers = {}, variables = {}, form = null } = typed as TypedParts;
  const { regions, type: _type, ...rest } = checked.value;
  return { ok: true, definition: { ...rest, regions: regions ?? [], headers, variables, form } };
}

/** Folded; they open by themselves when one of them has a problem. */
export const ADVANCED_FIELDS = [
  ...REQUEST_OPTION_NAMES,
  'degradedAboveMs',
  'quorum',
  'failuresBeforeDown',
  'successesBeforeUp',
  'key',
  'variables',
  'tls',
] as const;

export function isAdvancedBroken(problems: Problems): boolean {
  return ADVANCED_FIELDS.some((field) => hasProblemUnder(problems, field));
}
