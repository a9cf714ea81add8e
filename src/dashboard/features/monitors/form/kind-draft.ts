/** The draft of a monitor of a kind other than HTTP, and its body for /v1. */
import { NETWORK_KINDS, type NetworkKind } from '../../../../contracts/kinds';
import { KIND_FORMS } from '../../../../kinds/form';
import { DEFAULT_INTERVAL_SECONDS, monitorRuleFields } from '../../../../kinds/sent-fields';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import { formatTargetText } from '../../../../kinds/words';
import { leaveVariablesOpen } from '../../../../schemas/environments/open-references';
import { degradedAboveMsField } from '../../../../schemas/fields';
import { validate } from '../../../../schemas/issues';
import { readRecord, readText } from '../../../../schemas/loose';
import { monitorBody } from '../../../../schemas/monitor';
import { requestOptionFields } from '../../../../schemas/request-options';
import {
  kindFieldsBody,
  readCount,
  readScheduled,
  type ScheduledDraft,
  scheduledBody,
} from '../../../shared/definition/definition-draft';
import type { DefinitionKind } from '../../../shared/definition/definition-kind';
import {
  type OptionDraft,
  optionsBody,
  readOptions,
  type Values,
} from '../../../shared/definition/options';
import { readWarnDays, warnDaysBody } from '../../../shared/definition/request-draft';
import {
  findShapeProblems,
  variableProblems,
  withoutDerivedName,
} from '../../../shared/definition/row-problems';
import { suggestName } from '../../../shared/definition/typed-url';

export const KIND_OPTION_FIELDS = {
  timeoutMs: requestOptionFields.timeoutMs,
  retries: requestOptionFields.retries,
  degradedAboveMs: degradedAboveMsField,
  ...monitorRuleFields,
};

export interface KindDraft extends ScheduledDraft, OptionDraft<typeof KIND_OPTION_FIELDS> {
  /** The fields of the kind, in the format of /v1. */
  readonly fields: Values;
  readonly quorum: number | 'majority';
  readonly warnDays: readonly number[];
}

/** Returns a default name: the URL, or the host and port. Empty if no target is typed yet. */
export function nameTarget({ fields }: Pick<KindDraft, 'fields'>): string {
  const url = readText(fields['url']).trim();
  if (url !== '') return suggestName(url.replace(/^ws/i, 'http'));
  const host = readText(fields['host']).trim();
  const port = readCount(fields['port']);
  return host === '' ? '' : formatTargetText({ host, ...(port !== null && { port }) });
}

/** Returns the URL that alert routes match against. null when no target is typed yet. */
export function buildTargetUrl(type: NetworkKind, draft: Pick<KindDraft, 'fields'>): string | null {
  const url = readText(draft.fields['url']).trim();
  if (url !== '') return url;
  const target = nameTarget(draft);
  return target === '' ? null : `${type}://${target}`;
}

function toDraft(type: NetworkKind, body: unknown): KindDraft {
  const given = readRecord(body);
  const { quorum } = given;
  return {
    ...readScheduled(given, KIND_SHAPES[type].interval?.min ?? DEFAULT_INTERVAL_SECONDS),
    ...readOptions(KIND_OPTION_FIELDS, given),
    fields: Object.fromEntries(
      KIND_FORMS[type].flatMap(({ name }) => (name in given ? [[name, given[name]] as const] : [])),
    ),
    quorum: quorum === 'majority' || typeof quorum === 'number' ? quorum : 1,
    warnDays: readWarnDays(given['tls']),
  };
}

function toBody(type: NetworkKind, draft: KindDraft): Values {
  const { name, fields, quorum, warnDays } = draft;
  return {
    type,
    name: name.trim() === '' ? nameTarget(draft) : name,
    ...kindFieldsBody(fields),
    ...(KIND_SHAPES[type].hasCertificate ? warnDaysBody(warnDays) : {}),
    ...scheduledBody(draft),
    ...optionsBody(KIND_OPTION_FIELDS, draft),
    ...(quorum === 1 ? {} : { quorum }),
  };
}

function createKind(type: NetworkKind): DefinitionKind<KindDraft> {
  return {
    title: KIND_SHAPES[type].words.title,
    path: '/v1/monitors',
    page: '/monitors',
    reads: ['/v1/monitors', '/v1/checks', '/v1/overview'],
    createWord: 'Create monitor',
    created: 'Monitor created. First check is running.',
    toDraft: (body) => toDraft(type, body),
    toBody: (draft) => toBody(type, draft),
    findProblems: (draft) =>
      withoutDerivedName(
        findShapeProblems(monitorBody, toBody(type, draft), variableProblems(draft.variables)),
      ),
    readTyped: (typed) => {
      const checked = validate(leaveVariablesOpen(monitorBody), typed);
      if (!checked.ok) return { ok: false, problems: checked.problems };
      if (checked.value.type !== type)
        return { ok: false, problems: [{ path: 'type', message: `must be ${type}` }] };
      return { ok: true, draft: toDraft(type, typed) };
    },
    mask: (draft) => draft,
    unmask: (typed) => typed,
  };
}

const definitions = new Map(NETWORK_KINDS.map((type) => [type, createKind(type)]));

/** Describes the kind to the shared form. Returns the same object for the same type on every call. */
export function kindDefinition(type: NetworkKind): DefinitionKind<KindDraft> {
  return definitions.get(type) ?? createKind(type);
}
