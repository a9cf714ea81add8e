/** The draft of an alert channel in its form, and the body that /v1 accepts. Pure. */
import { readText } from '../../../../schemas/loose';
import type { AlertChannel, AlertChannelTypes } from '../../../shared/data/api-types';

export type ChannelType = AlertChannelTypes['data'][number];
export type ChannelField = ChannelType['fields'][number];

/** The value that the user typed into one field. Headers and lists of secrets are typed as text, one per line. */
export type Typed = string | boolean | readonly string[] | Readonly<Record<string, string>>;

export interface ChannelDraft {
  readonly type: AlertChannel['type'];
  readonly name: string;
  readonly isDefault: boolean;
  readonly values: Readonly<Record<string, Typed>>;
  /** The kinds of alerts that the channel sends. Empty for all kinds. */
  readonly onlyKinds: readonly string[];
  /** Key or id of another channel. Empty for none. */
  readonly fallback: string;
  readonly fallbackAfterMinutes: number;
  /** Title and text of the template, which replace the default texts. Both are empty without a template. */
  readonly title: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates the draft. Masked fields start empty. The user types a new value, or leaves a field empty to keep the stored
 * value.
 */
export function createDraft(channel: AlertChannel | null): ChannelDraft {
  const stored: Fields = channel ?? {};
  const template = readFields(stored['template']);
  return {
    type: channel?.type ?? 'email',
    name: channel?.name ?? '',
    isDefault: channel?.isDefault ?? false,
    values: {},
    onlyKinds: channel?.onlyKinds ?? [],
    fallback: channel?.fallback ?? '',
    fallbackAfterMinutes: channel?.fallbackAfterMinutes ?? 15,
    title: readText(template['title']),
    text: readText(template['text']),
  };
}

export function isMasked({ kind }: ChannelField): boolean {
  return kind === 'secret' || kind === 'secretUrl' || kind === 'secretList';
}

/**
 * Returns the value that the field shows: the typed value, or else the stored value. Empty if the stored value is
 * masked.
 */
export function findTyped(
  field: ChannelField,
  draft: ChannelDraft,
  channel: AlertChannel | null,
): Typed {
  const typed = draft.values[field.name];
  if (typed !== undefined) return typed;
  const stored: Fields = channel ?? {};
  const value = isMasked(field) ? undefined : stored[field.name];
  if (field.kind === 'switch') return value === true;
  if (field.kind === 'list') return Array.isArray(value) ? value.map(String) : [];
  if (field.kind === 'choices')
    return Object.fromEntries(
      Object.entries(readFields(value)).map(([name, chosen]) => [name, String(chosen)]),
    );
  if (field.kind === 'headers') return formatLines(readFields(value));
  return typeof value === 'number' ? String(value) : readText(value);
}

/** True if the draft sets a field that the form shows only under "Advanced". */
export function hasAdvanced(
  draft: ChannelDraft,
  channel: AlertChannel | null,
  fields: readonly ChannelField[],
): boolean {
  const { onlyKinds, fallback, title, text } = draft;
  const stored: Fields = channel ?? {};
  const isSet = (field: ChannelField): boolean => {
    const sent = toSent(field, findTyped(field, draft, channel));
    const isEmpty = sent === null || sent === false || (Array.isArray(sent) && sent.length === 0);
    return !isEmpty || (isMasked(field) && (stored[field.name] ?? null) !== null);
  };
  const isRuled = onlyKinds.length > 0 || fallback !== '' || title !== '' || text !== '';
  return isRuled || fields.some((field) => field.isAdvanced && isSet(field));
}

/**
 * Builds the body of POST or PATCH. A PATCH never changes the type. A PATCH removes empty fields, but an empty masked
 * field keeps the stored value.
 */
export function buildBody(
  draft: ChannelDraft,
  before: AlertChannel | null,
  fields: readonly ChannelField[],
): Fields {
  const { type, name, isDefault } = draft;
  const stored: Fields = before ?? {};
  const changed = fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    const value = toSent(field, findTyped(field, draft, before));
    if (value !== null) return [[field.name, withNulls(value, stored[field.name])]];
    return before === null || isMasked(field) || !(field.name in stored)
      ? []
      : [[field.name, null]];
  });
  const hasBody = fields.some((field) => field.name === 'template');
  const template = templateIn(draft, readFields(stored['template']));
  const isKept = template === null && (before === null || !('template' in stored));
  return {
    name,
    ...(before === null ? { type } : {}),
    // `isDefault` is never sent as false, because a default channel can only be replaced by a new default channel.
    ...(isDefault && before?.isDefault !== true ? { isDefault } : {}),
    ...buildRules(draft, before),
    ...Object.fromEntries(changed),
    ...(hasBody || isKept ? {} : { template }),
  };
}

/** Returns only the rules that changed. */
function buildRules(draft: ChannelDraft, before: AlertChannel | null): Fields {
  const { onlyKinds, fallback, fallbackAfterMinutes } = draft;
  const was = createDraft(before);
  return {
    ...(onlyKinds.join() !== was.onlyKinds.join() && {
      onlyKinds: onlyKinds.length === 0 ? null : onlyKinds,
    }),
    ...(fallback !== was.fallback && { fallback: fallback === '' ? null : fallback }),
    ...(fallbackAfterMinutes !== was.fallbackAfterMinutes && { fallbackAfterMinutes }),
  };
}

/** Returns the template in the draft, for a preview. null when there is none. */
export function buildTemplate(
  draft: ChannelDraft,
  fields: readonly ChannelField[],
  before: AlertChannel | null,
) {
  const body = fields.find((field) => field.name === 'template');
  if (body === undefined) return templateIn(draft, {});
  const typed = findTyped(body, draft, before);
  return typed === '' ? null : typed;
}

function templateIn({ title, text }: ChannelDraft, stored: Fields) {
  if (title === '' && text === '') return null;
  if (title !== '') return { title, text };
  return 'title' in stored ? { title: null, text } : { text };
}

/**
 * Returns the value to send for a field. null when the field is empty. An empty required list is returned as an empty
 * list.
 */
function toSent({ kind, isRequired }: ChannelField, typed: Typed): unknown {
  if (typeof typed === 'boolean') return typed;
  if (typeof typed !== 'string') {
    const entries = Array.isArray(typed) ? typed : Object.keys(typed);
    return entries.length === 0 && !(kind === 'list' && isRequired) ? null : typed;
  }
  if (typed.trim() === '') return null;
  if (kind === 'number') return Number(typed);
  if (kind === 'headers') return headersIn(typed);
  return kind === 'secretList' ? typed.split('\n').filter((line) => line.trim() !== '') : typed;
}

/** Sets removed entries to null, because a PATCH deletes entries that are null. */
function withNulls(value: unknown, stored: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const gone = Object.keys(readFields(stored)).filter((name) => !(name in value));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...value };
}

function headersIn(lines: string): Readonly<Record<string, string>> {
  const given = lines.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    given.map((line) => {
      const at = line.includes(':') ? line.indexOf(':') : line.length;
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function formatLines(headers: Fields): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
}

function readFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
