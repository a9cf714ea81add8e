/** A status page as it is typed, and as /v1 takes it. Pure. */
import type { StatusPage } from '../../../shared/data/api-types';

export interface DraftItem {
  /** Tells rows apart while their fields are empty. */
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
  readonly showBadges: boolean;
  readonly groups: readonly DraftGroup[];
}

export function draftOf(page: StatusPage | null): PageDraft {
  return {
    slug: page?.slug ?? '',
    title: page?.title ?? '',
    description: page?.description ?? '',
    isPublic: page?.isPublic ?? false,
    showBadges: page?.showBadges ?? false,
    groups: (page?.groups ?? []).map(({ name, items }, mark) => ({
      mark,
      name,
      items: items.map((item, at) => ({ ...item, mark: at })),
    })),
  };
}

/** Rows in which nothing is chosen are left out, and so are groups without any other. */
export function bodyOf({ description, groups, ...draft }: PageDraft) {
  return {
    ...draft,
    description: description.trim() === '' ? null : description,
    groups: groups
      .map(({ name, items }) => ({
        name,
        items: items.flatMap(({ id, name: shown }) => (id === null ? [] : { id, name: shown })),
      }))
      .filter(({ items }) => items.length > 0),
  };
}

export function withGroup(groups: readonly DraftGroup[]): readonly DraftGroup[] {
  return [...groups, { mark: nextMark(groups), name: '', items: withItem([]) }];
}

export function withItem(items: readonly DraftItem[]): readonly DraftItem[] {
  return [...items, { mark: nextMark(items), id: null, name: '' }];
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

function nextMark(rows: readonly { readonly mark: number }[]): number {
  return 1 + Math.max(-1, ...rows.map(({ mark }) => mark));
}
