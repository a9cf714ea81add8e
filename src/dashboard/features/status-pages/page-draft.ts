/** The draft of a status page in its form, and the body that /v1 accepts. Pure. */
import { NO_SUBSCRIBERS, type SubscriberSettings } from '../../../contracts/letters/letters';
import type { StatusPage } from '../../shared/data/api-types';
import { followName } from '../../shared/text/slug';
import { type AccessDraft, buildAccessBody, createAccessDraft } from './access-draft';
import {
  buildPostSettings,
  createPostSettingsDraft,
  type PostSettingsDraft,
} from './post-settings-draft';

export interface DraftItem {
  /** Identifies the row on the whole page. Empty rows have an id, too. */
  readonly rowId: number;
  /** null until a check is chosen. */
  readonly id: string | null;
  readonly name: string;
}

export interface DraftGroup {
  readonly rowId: number;
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
  /** The logo as a data URL. */
  readonly logo: string | null;
  /** Empty for no accent colour. */
  readonly accent: string;
  readonly theme: StatusPage['theme'];
  readonly posts: PostSettingsDraft;
  readonly language: StatusPage['language'];
  readonly showResponseTimes: boolean;
  readonly subscribers: SubscriberSettings;
  /** Key of the hours that count for availability. null means that all time counts. */
  readonly hours: string | null;
  readonly showLedger: boolean;
  readonly groups: readonly DraftGroup[];
}

/** How many items /v1 accepts on a page. */
const ITEMS_MAX = 100;

/** Creates the draft. The draft of a new page begins with one empty row. */
export function createDraft(page: StatusPage | null): PageDraft {
  const groups = page?.groups.map(toGroup) ?? [newGroup([])];
  return {
    slug: page?.slug ?? '',
    title: page?.title ?? '',
    description: page?.description ?? '',
    isPublic: page?.isPublic ?? false,
    access: createAccessDraft(page),
    domains: page?.domains ?? [],
    showBadges: page?.showBadges ?? false,
    logo: page?.logo ?? null,
    accent: page?.accent ?? '',
    theme: page?.theme ?? 'auto',
    posts: createPostSettingsDraft(page?.posts),
    language: page?.language ?? 'en',
    showResponseTimes: page?.showResponseTimes ?? false,
    subscribers: page?.subscribers ?? NO_SUBSCRIBERS,
    hours: page?.hours ?? null,
    showLedger: page?.showLedger ?? false,
    groups,
  };
}

function toGroup({ name, items }: StatusPage['groups'][number], rowId: number): DraftGroup {
  return {
    rowId: rowId,
    name,
    items: items.map((item, at) => ({ ...item, rowId: rowId * ITEMS_MAX + at })),
  };
}

/** Changes the title. The slug follows the title until the user types a slug. */
export function withTitle(draft: PageDraft, title: string): Pick<PageDraft, 'title' | 'slug'> {
  return { title, slug: followName(draft.slug, draft.title, title) };
}

/** Builds the body. Leaves out rows without a check, and groups that have only such rows. */
export function buildBody({ description, groups, accent, access, posts, ...draft }: PageDraft) {
  return {
    ...draft,
    access: buildAccessBody(access),
    posts: buildPostSettings(posts),
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

/** Creates a group without a name, with one empty row. */
export function newGroup(groups: readonly DraftGroup[]): DraftGroup {
  return { rowId: nextRowId(groups), name: '', items: [newItem(groups)] };
}

/** Creates a group with an item for each of the checks, up to the limit of the page. */
export function createGroup(
  groups: readonly DraftGroup[],
  name: string,
  checks: readonly { readonly id: string; readonly name: string }[],
): DraftGroup {
  const listed = groups.flatMap(({ items }) => items);
  const first = nextRowId(listed);
  const items = checks
    .slice(0, Math.max(0, ITEMS_MAX - listed.length))
    .map(({ id, name: shown }, index) => ({ rowId: first + index, id, name: shown }));
  return { rowId: nextRowId(groups), name, items };
}

/** Appends an item to the group. */
export function withItem(
  groups: readonly DraftGroup[],
  rowId: number,
  item: DraftItem,
): readonly DraftGroup[] {
  return groups.map((group) =>
    group.rowId === rowId ? { ...group, items: [...group.items, item] } : group,
  );
}

export function newItem(groups: readonly DraftGroup[]): DraftItem {
  return { rowId: nextRowId(groups.flatMap(({ items }) => items)), id: null, name: '' };
}

/** The indexes of a group and of an item in it. Both start at 0. */
export interface ItemPosition {
  readonly group: number;
  readonly item: number;
}

export function findPosition(groups: readonly DraftGroup[], rowId: number): ItemPosition | null {
  for (const [group, { items }] of groups.entries()) {
    const item = items.findIndex((each) => each.rowId === rowId);
    if (item !== -1) return { group, item };
  }
  return null;
}

/** Moves one item to another position, in the same or another group. */
export function moveItem(
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

/** Returns the position one step up or down, possibly in the adjacent group. null if there is none. */
export function findAdjacentPosition(
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

/** Replaces one row; null removes it. */
export function withRow<Row extends { readonly rowId: number }>(
  rows: readonly Row[],
  rowId: number,
  row: Row | null,
): readonly Row[] {
  return rows.flatMap((other) => {
    if (other.rowId !== rowId) return [other];
    return row === null ? [] : [row];
  });
}

/** Builds the body for a preview. `untitled` replaces a missing title, and missing names of groups and items. */
export function buildPreviewBody(draft: PageDraft, untitled: string) {
  // The preview leaves out post templates, which may be half-typed.
  const { groups, posts: _posts, ...body } = buildBody(draft);
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

function nextRowId(rows: readonly { readonly rowId: number }[]): number {
  return 1 + Math.max(-1, ...rows.map(({ rowId }) => rowId));
}
