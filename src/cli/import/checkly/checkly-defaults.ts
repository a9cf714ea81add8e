/** Completes the fields of a Checkly construct with the defaults of its group and of the configuration. */
import { readRecord } from '../../../schemas/loose';
import { isRecord } from '../../files/parse-documents';
import type { Fields } from '../imported';

/**
 * Merges the fields. The check overrides its group, and the group overrides the configuration, but a deactivated group
 * deactivates its checks. Lists are concatenated, the group's entries first.
 */
export function mergeFields(fields: Fields, group: Fields, defaults: Fields): Fields {
  return {
    ...defaults,
    ...group,
    ...fields,
    ...(group['activated'] === false && { activated: false }),
    tags: [...new Set(joinLists('tags', defaults, group, fields))],
    environmentVariables: joinLists('environmentVariables', defaults, group, fields).filter(isPair),
    localSetupScript: fields['setupScript'] === undefined ? null : 'a file',
    localTearDownScript: fields['tearDownScript'] === undefined ? null : 'a file',
  };
}

/** Adds the defaults of the group to the request of an API check or URL monitor. */
export function mergeRequest(request: Fields, group: Fields): Fields {
  const ofGroup = readRecord(group['apiCheckDefaults']);
  const whole = {
    ...ofGroup,
    ...request,
    headers: joinLists('headers', ofGroup, request).filter(isPair),
    queryParameters: joinLists('queryParameters', ofGroup, request).filter(isPair),
    assertions: joinLists('assertions', ofGroup, request),
  };
  const { url: base } = ofGroup;
  return typeof base === 'string' ? withBase(whole, base) : whole;
}

function joinLists(name: string, ...sources: readonly Fields[]): readonly unknown[] {
  return sources.flatMap((source) => listAt(source, name));
}

/** True for a pair of a name and a readable value. A note already reports an unreadable value. */
function isPair(item: unknown): boolean {
  return isRecord(item) && typeof item['key'] === 'string' && typeof item['value'] === 'string';
}

export function listAt(source: Fields, name: string): readonly unknown[] {
  const value = source[name];
  return Array.isArray(value) ? value : [];
}

/** Replaces `{{GROUP_BASE_URL}}` with the URL of the group. */
function withBase(request: Fields, base: string): Fields {
  const { url } = request;
  if (typeof url !== 'string') return request;
  return { ...request, url: url.replaceAll(/\{\{\s*GROUP_BASE_URL\s*\}\}/g, () => base) };
}
