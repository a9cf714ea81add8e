/** A status page as it is typed, and as /v1 takes it. Pure. */
import { NO_SUBSCRIBERS, type SubscriberSettings } from '../../../contracts/letters/letters';
import type { StatusPage } from '../../shared/data/api-types';
import { followName } from '../../shared/text/slug';
import { type AccessDraft, accessBodyOf, accessDraftOf } from './access-draft';
import { type PostSettingsDraft, postSettingsDraftOf, postSettingsOf } from './post-settings-draft';

export interface DraftItem {
  /** Tells rows of the whole page apart while their fields are empty. */
  readonly mark: number;
  /** null: not chosen yet. */
  readonly id: string | null;
  readonly name: string;
}

export interface DraftGroup {
  readonly mark: number;
  readonly name: string;
  readonly items: readonly DraftItem[];
}

export interface PageDraft {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly access: AccessDraft;
  readonly domains: readonly string[];
  readonly showBadges: boolean;
  /** A data URL. */
  readonly logo: string | null;
  /** Empty: none. */
  readonly accent: string;
  readonly theme: StatusPage['theme'];
  readonly posts: PostSettingsDraft;
  readonly language: StatusPage['language'];
  readonly showResponseTimes: boolean;
  readonly subscribers: SubscriberSettings;
  /** Key of hours; null: all time counts. */
  readonly hours: string | null;
  readonly showLedger: boolean;
  readonly groups: readonly DraftGroup[];
}

/** Of a page, as /v1 takes it. */
const ITEMS_MAX = 100;

/** A new one begins with a row to choose from. */
export function draftOf(page: StatusPage | null): PageDraft {
  const groups = page?.groups.map(toGroup) ?? [newGroup([])];
  return {
    slug: page?.slug ?? '',
    title: page?.title ?? '',
    description: page?.description ?? '',
    isPublic: page?.isPublic ?? false,
    access: accessDraftOf(page),
    domains: page?.domains ?? [],
    showBadges: page?.showBadges ?? false,
    logo: page?.logo ?? null,
    accent: page?.accent ?? '',
    theme: page?.theme ?? 'auto',
    posts: postSettingsDraftOf(page?.posts),
    language: page?.language ?? 'en',
    showResponseTimes: page?.showResponseTimes ?? false,
    subscribers: page?.subscribers ?? NO_SUBSCRIBERS,
    hours: page?.hours ?? null,
    showLedger: page?.showLedger ?? false,
    groups,
  };
}

function toGroup({ name, items }: StatusPage['groups'][number], mark: number): DraftGroup {
  return {
    mark,
    name,
    items: items.map((item, at) => ({ ...item, mark: mark * ITEMS_MAX + at })),
  };
}

/** A slug that nobody typed follows the title. */
export function withTitle(draft: PageDraft, title: string): Pick<PageDraft, 'title' | 'slug'> {
  return { title, slug: followName(draft.slug, draft.title, title) };
}

/** Rows in which nothing is chosen are left out, and so are groups without any other. */
export function bodyOf({ description, groups, accent, access, posts, ...draft }: PageDraft) {
  return {
    ...draft,
    access: accessBodyOf(access),
    posts: postSettingsOf(posts),
    accent: accent.trim() === '' ? null : accent.trim(),
    description: description.trim() === '' ? null : description,
    groups: groups
      .map(({ name, items }) => ({
        name,
        items: items.flatMap(({ id, name: shown }) => (id === null ? [] : { id, name: shown })),
      }))
      .filter(({ items }) => items.length > 0),
  };
}

/** Empty, with a row to choose from. */
export function newGroup(groups: readonly DraftGroup[]): DraftGroup {
  return { mark: nextMark(groups), name: '', items: [newItem(groups)] };
}

/** With an item for each of the checks, up to what a page may have. */
export function groupOfChecks(
  groups: readonly DraftGroup[],
  name: string,
  checks: readonly { readonly id: string; readonly name: string }[],
): DraftGroup {
  const listed = groups.flatMap(({ items }) => items);
  const first = nextMark(listed);
  const items = checks
    .slice(0, Math.max(0, ITEMS_MAX - listed.length))
    .map(({ id, name: shown }, index) => ({ mark: first + index, id, name: shown }));
  return { mark: nextMark(groups), name, items };
}

/** With another item at the end of the group. */
export function withItem(
  groups: readonly DraftGroup[],
  mark: number,
  item: DraftItem,
): readonly DraftGroup[] {
  return groups.map((group) =>
    group.mark === mark ? { ...group, items: [...group.items, item] } : group,
  );
}

export function newItem(groups: readonly DraftGroup[]): DraftItem {
  return { mark: nextMark(groups.flatMap(({ items }) => items)), id: null, name: '' };
}

/** Both count from 0. */
export interface ItemPosition {
  readonly group: number;
  readonly item: number;
}

export function positionOf(groups: readonly DraftGroup[], mark: number): ItemPosition | null {
  for (const [group, { items }] of groups.entries()) {
    const item = items.findIndex((each) => each.mark === mark);
    if (item !== -1) return { group, item };
  }
  return null;
}

/** The same groups with one item at another position, in whatever group. */
export function movedItem(
  groups: readonly DraftGroup[],
  from: ItemPosition,
  to: ItemPosition,
): readonly DraftGroup[] {
  const [item] = groups[from.group]?.items.slice(from.item, from.item + 1) ?? [];
  if (item === undefined) return groups;
  return groups.map((group, at) => {
    const others = group.items.filter((each) => each !== item);
    if (at !== to.group) return { ...group, items: others };
    return { ...group, items: [...others.slice(0, to.item), item, ...others.slice(to.item)] };
  });
}

/** One up or down, beyond the end of a group into the next one; null where there is none. */
export function positionBeside(
  groups: readonly DraftGroup[],
  { group, item }: ItemPosition,
  by: -1 | 1,
): ItemPosition | null {
  const count = groups[group]?.items.length ?? 0;
  if (item + by >= 0 && item + by < count) return { group, item: item + by };
  const neighbour = groups[group + by];
  if (neighbour === undefined) return null;
  return { group: group + by, item: by === -1 ? neighbour.items.length : 0 };
}

/** The same rows with one in another form; null takes it out. */
export function withRow<Row extends { readonly mark: number }>(
  rows: readonly Row[],
  mark: number,
  row: Row | null,
): readonly Row[] {
  return rows.flatMap((other) => {
    if (other.mark !== mark) return [other];
    return row === null ? [] : [row];
  });
}

/** The same rows with one at another place. */
export function moved<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const [row] = rows.slice(from, from + 1);
  if (row === undefined) return rows;
  const others = rows.filter((_row, index) => index !== from);
  return [...others.slice(0, to), row, ...others.slice(to)];
}

/** What a preview is made of: rows that are not named yet stand under their own name. */
export function previewBodyOf(draft: PageDraft, untitled: string) {
  // Templates that are half typed are no part of what is shown.
  const { groups, posts: _posts, ...body } = bodyOf(draft);
  const named = <Row extends { readonly name: string }>(row: Row): Row => ({
    ...row,
    name: row.name.trim() === '' ? untitled : row.name,
  });
  return {
    ...body,
    access: { type: 'public' } as const,
    domains: [],
    slug: 'preview',
    title: body.title.trim() === '' ? untitled : body.title,
    accent: /^#[0-9a-f]{6}$/i.test(body.accent ?? '') ? body.accent : null,
    groups: groups.map((group) => ({ ...named(group), items: group.items.map(named) })),
  };
}

function nextMark(rows: readonly { readonly mark: number }[]): number {
  return 1 + Math.max(-1, ...rows.map(({ mark }) => mark));
}
