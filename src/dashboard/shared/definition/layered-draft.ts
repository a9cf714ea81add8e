/**
 * Drafts of definitions with a profile. A draft shows the effective values. Its body contains only the fields that the
 * definition itself sets (own fields).
 */
import {
  composeFields,
  type Fields,
  findEntry,
  listFieldNames,
  MERGED_FIELDS,
  NEVER_INHERITED,
  nameEntry,
  pickOwn,
  readEntries,
  splitName,
} from '../../../domain/definitions/layers';
import type { DefinitionKind } from './definition-kind';
import type { Values } from './options';

export interface LayeredDraft {
  readonly name: string;
  /** The key of the profile. Empty for none. */
  readonly profile: string;
  /**
   * Names of the fields that the definition itself sets (own fields). null if there is no profile, which means that all
   * fields are own fields.
   */
  readonly own: readonly string[] | null;
}

type Kind<Draft> = Pick<DefinitionKind<Draft>, 'toBody' | 'toDraft'>;

interface Profile {
  readonly key: string;
  readonly set: Fields;
}

const RULES = { inheritable: { has: (field: string) => !NEVER_INHERITED.includes(field) } };
/**
 * Fields that are always in the body. A heartbeat needs a schedule, even if the user did not change the default of the
 * form.
 */
const ALWAYS_SENT: readonly string[] = [...NEVER_INHERITED, 'schedule'];

/** Marks the fields that differ between two drafts as own fields. */
export function withOwnChanges<Draft extends LayeredDraft>(
  kind: Kind<Draft>,
  before: Draft,
  after: Draft,
): Draft {
  if (before.own === null) return { ...after, own: null };
  const changed = listChangedNames(kind.toBody(before), kind.toBody(after));
  return { ...after, own: [...new Set([...before.own, ...changed])].sort() };
}

/** Lists the names of the fields, headers and variables that differ. */
function listChangedNames(before: Values, after: Values): readonly string[] {
  const names = new Set([...listFieldNames(before, RULES), ...listFieldNames(after, RULES)]);
  return [...names]
    .sort()
    .filter(
      (name) => JSON.stringify(readNamed(before, name)) !== JSON.stringify(readNamed(after, name)),
    );
}

/** Returns the value of a field, or of an entry like `headers.x-team`. */
export function readNamed(body: Values, name: string): unknown {
  const { field, entry } = splitName(name);
  return entry === null ? body[field] : findEntry(field, body[field], name);
}

/**
 * Switches to another profile, or to none if it is null. Own values stay. `set` has the values of the previous profile.
 */
export function withProfile<Draft extends LayeredDraft>(
  kind: Kind<Draft>,
  draft: Draft,
  { profile, set }: { readonly profile: Profile | null; readonly set: Fields },
): Draft {
  if (profile === null) return { ...draft, profile: '', own: null };
  const own = draft.own ?? listChangedNames(readDefaults(kind, draft), kind.toBody(draft));
  const before = { ...draft, own };
  return withValues(kind, { ...before, profile: profile.key }, { before: set, after: profile.set });
}

/** Returns the draft with the profile's value of the field. */
export function withInherited<Draft extends LayeredDraft>(
  kind: Kind<Draft>,
  draft: Draft,
  { set, field }: { readonly set: Fields; readonly field: string },
): Draft {
  const own = (draft.own ?? []).filter(
    (name) => splitName(name).field !== field || readNamed(set, name) === undefined,
  );
  return withValues(kind, { ...draft, own }, { before: set, after: set });
}

function withValues<Draft extends LayeredDraft>(
  kind: Kind<Draft>,
  draft: Draft,
  { before, after }: { readonly before: Fields; readonly after: Fields },
): Draft {
  const { name, profile, own } = draft;
  // Removes the values of the previous and the new profile from the body, except own values.
  const names = own ?? [];
  const stated = readStated(readStated(kind.toBody(draft), names, before), names, after);
  const values = kind.toDraft(composeFields(stated, after, RULES));
  return { ...values, name, profile, own };
}

/**
 * Returns the body to send. With a profile, leaves out inherited values and defaults, and sends null for own fields
 * without a value.
 */
export function buildLayeredBody<Draft extends LayeredDraft>(
  kind: Kind<Draft>,
  draft: Draft,
  set: Fields,
): Values {
  const body = kind.toBody(draft);
  const { profile } = draft;
  if (profile === '') return { ...body, profile: null };
  const own = draft.own ?? [];
  const defaults = readDefaults(kind, draft);
  const stated = Object.entries(readStated(body, own, set)).filter(
    ([field, value]) =>
      ALWAYS_SENT.includes(field) ||
      MERGED_FIELDS.includes(field) ||
      own.includes(field) ||
      JSON.stringify(value) !== JSON.stringify(defaults[field]),
  );
  return { ...Object.fromEntries(stated), profile };
}

/** Returns the body without the values of the profile. Own fields stay. */
function readStated(body: Values, own: readonly string[], set: Fields): Values {
  const others = Object.entries(body).flatMap(([field, value]) => {
    if (NEVER_INHERITED.includes(field)) return [];
    if (!MERGED_FIELDS.includes(field)) return field in set ? [] : [[field, value] as const];
    const entries = Object.entries(readEntries(value)).filter(
      ([name]) => readNamed(set, nameEntry(field, name)) === undefined,
    );
    return [[field, Object.fromEntries(entries)] as const];
  });
  const stated = new Map<string, unknown>(others);
  for (const [field, value] of Object.entries(pickOwn({ view: body, own }, RULES))) {
    const isMerged = MERGED_FIELDS.includes(field);
    stated.set(
      field,
      isMerged ? { ...readEntries(stated.get(field)), ...readEntries(value) } : value,
    );
  }
  return Object.fromEntries(stated);
}

/** Returns the body of a new draft that has only the name and the target of this draft. */
function readDefaults<Draft extends LayeredDraft>(kind: Kind<Draft>, draft: Draft): Values {
  const { profile: _profile, ...body } = kind.toBody(draft);
  const target = Object.entries(body).filter(([field]) => NEVER_INHERITED.includes(field));
  return kind.toBody(kind.toDraft(Object.fromEntries(target)));
}
