/** Lists the values in the folded sections of a monitor's form that differ from their defaults. Pure. */
import { monitorOptionFields } from '../../../../kinds/http/shape';
import { BODY_WORDS } from '../../../shared/body/body-draft';
import { countWords } from '../../../shared/charts/counted';
import {
  listAuthChanges,
  listConnectionChanges,
  listVariableChanges,
  listWarnDaysChanges,
} from '../../../shared/definition/changes';
import { optionsBody } from '../../../shared/definition/options';
import { describeFields } from '../../../shared/form/problems/field-words';
import { KIND_OPTION_FIELDS, type KindDraft } from './kind-draft';
import type { MonitorDraft } from './monitor-draft';

export function listRequestChanges({ headers, auth, body }: MonitorDraft): readonly string[] {
  const named = headers.filter(({ name }) => name.trim() !== '').length;
  return [
    ...(named === 0 ? [] : [countWords(named, 'header')]),
    ...listAuthChanges(auth),
    ...(body.mode === 'none' ? [] : [`Body: ${BODY_WORDS[body.mode]}`]),
  ];
}

export function listAdvancedChanges(draft: MonitorDraft): readonly string[] {
  return [
    ...describeFields(optionsBody(monitorOptionFields, draft)),
    ...listRuleChanges(draft),
    ...listConnectionChanges(draft),
    ...listVariableChanges(draft.variables),
  ];
}

export function listKindChanges(draft: KindDraft): readonly string[] {
  return [
    ...describeFields(optionsBody(KIND_OPTION_FIELDS, draft)),
    ...listRuleChanges(draft),
    ...listVariableChanges(draft.variables),
  ];
}

function listRuleChanges({ quorum, warnDays, key }: KindDraft | MonitorDraft): readonly string[] {
  return [
    ...describeFields(quorum === 1 ? {} : { quorum }),
    ...listWarnDaysChanges(warnDays),
    ...describeFields(key.trim() === '' ? {} : { key: key.trim() }),
  ];
}
