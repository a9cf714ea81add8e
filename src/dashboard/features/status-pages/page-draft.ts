/** A status page as it is typed, and as /v1 takes it. Pure. */
import type { StatusPage } from '../../shared/data/api-types';

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
  /** A data URL. */
  readonly logo: string | null;
  /** Empty: none. */
  readonly accent: string;
  readonly theme: StatusPage['theme'];
  readonly groups: readonly DraftGroup[];
}

export function draftOf(page: StatusPage | null): PageDraft {
  return {
    slug: page?.slug ?? '',
    title: page?.title ?? '',
    description: page?.description ?? '',
    isPublic: page?.isPublic ?? false,
    showBadges: page?.showBadges ?? false,
    logo: page?.logo ?? null,
    accent: page?.accent ?? '',
    theme: page?.theme ?? 'auto',
    groups: (page?.groups ?? []).map(({ name, items }, mark) => ({
      mark,
      name,
      items: items.map((item, at) => ({ ...item, mark: at })),
    })),
  };
}

/** Rows in which nothing is chosen are left out, and so are groups without any other. */
export function bodyOf({ description, groups, accent, ...draft }: PageDraft) {
  return {
    ...draft,
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

/** The same rows with one at another place. */
export function moved<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const [row] = rows.slice(from, from + 1);
  if (row === undefined) return rows;
  const others = rows.filter((_row, index) => index !== from);
  return [...others.slice(0, to), row, ...others.slice(to)];
}

/** What a preview is made of: rows that are not named yet stand under their own name. */
export function previewBodyOf(draft: PageDraft, untitled: string) {
  const { groups, ...body } = bodyOf(draft);
  const named = <Row extends { readonly name: string }>(row: Row): Row => ({
    ...row,
    name: row.name.trim() === '' ? untitled : row.name,
  });
  return {
    ...body,
    slug: 'preview',
    title: body.title.trim() === '' ? untitled : body.title,
    accent: /^#[0-9a-f]{6}$/i.test(body.accent ?? '') ? body.accent : null,
    groups: groups.map((group) => ({ ...named(group), items: group.items.map(named) })),
  };
}

function nextMark(rows: readonly { readonly mark: number }[]): number {
  return 1 + Math.max(-1, ...rows.map(({ mark }) => mark));
}
