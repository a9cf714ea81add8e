/** The draft of an HTTP monitor, and the body that /v1 accepts. Pure. */

import { monitorOptionFields } from '../../../../kinds/http/shape';
import { DEFAULT_INTERVAL_SECONDS } from '../../../../kinds/sent-fields';
import { leaveVariablesOpen } from '../../../../schemas/environments/open-references';
import { validate } from '../../../../schemas/issues';
import { readRecord } from '../../../../schemas/loose';
import { monitorBody } from '../../../../schemas/monitor';
import {
  readScheduled,
  type ScheduledDraft,
  scheduledBody,
} from '../../../shared/definition/definition-draft';
import type { DefinitionKind, ReadDraft } from '../../../shared/definition/definition-kind';
import {
  type OptionDraft,
  optionsBody,
  readOptions,
  type Values,
} from '../../../shared/definition/options';
import {
  type RequestDraft,
  readRequest,
  requestBody,
} from '../../../shared/definition/request-draft';
import {
  findShapeProblems,
  requestProblems,
  variableProblems,
  withoutDerivedName,
} from '../../../shared/definition/row-problems';
import { suggestName } from '../../../shared/definition/typed-url';
import { maskedRows, unmaskedRows } from '../../../shared/form/headers/secret-header';

export interface MonitorDraft
  extends ScheduledDraft,
    RequestDraft,
    OptionDraft<typeof monitorOptionFields> {
  readonly quorum: number | 'majority';
}

/** Creates a draft with the defaults of the API: one check a minute, which passes with any status from 200 to 299. */
export function newMonitorDraft(): MonitorDraft {
  const assertions = [{ type: 'status', operator: 'equals', value: '2xx' }];
  return toDraft({ url: 'https://', assertions });
}

function toDraft(body: unknown): MonitorDraft {
  const given = readRecord(body);
  const { quorum } = given;
  return {
    ...readScheduled(given, DEFAULT_INTERVAL_SECONDS),
    ...readRequest(given),
    ...readOptions(monitorOptionFields, given),
    quorum: quorum === 'majority' || typeof quorum === 'number' ? quorum : 1,
  };
}

function toBody(draft: MonitorDraft): Values {
  return {
    name: draft.name.trim() === '' ? suggestName(draft.url) : draft.name,
    ...requestBody(draft),
    ...scheduledBody(draft),
    ...optionsBody(monitorOptionFields, draft),
    ...(draft.quorum === 1 ? {} : { quorum: draft.quorum }),
  };
}

/**
 * Parses a body that the user typed and expands short forms of assertions. Returns problems if the body is invalid or
 * its type is not http.
 */
function readTyped(typed: unknown): ReadDraft<MonitorDraft> {
  const checked = validate(leaveVariablesOpen(monitorBody), typed);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  if (checked.value.type !== 'http')
    return { ok: false, problems: [{ path: 'type', message: 'must be http' }] };
  return {
    ok: true,
    draft: toDraft({ ...readRecord(typed), assertions: checked.value.assertions }),
  };
}

export const MONITOR: DefinitionKind<MonitorDraft> = {
  title: 'Monitor',
  path: '/v1/monitors',
  page: '/monitors',
  reads: ['/v1/monitors', '/v1/checks', '/v1/overview'],
  createWord: 'Create monitor',
  created: 'Monitor created. First check is running.',
  toDraft,
  toBody,
  findProblems: (draft) =>
    withoutDerivedName(
      findShapeProblems(monitorBody, toBody(draft), [
        ...variableProblems(draft.variables),
        ...requestProblems(draft),
      ]),
    ),
  readTyped,
  mask: (draft) => ({ ...draft, headers: maskedRows(draft.headers) }),
  unmask: (typed, shown) => ({ ...typed, headers: unmaskedRows(typed.headers, shown.headers) }),
};
