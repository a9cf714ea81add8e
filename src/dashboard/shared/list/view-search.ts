/** Converts between saved views of the table and the parameters of its URL. Pure. */
import { HIDEABLE_COLUMNS } from '../../../contracts/check-list';
import type { SavedView } from '../data/api-types';
import type { Search } from '../data/search';
import { pickFilters } from './list-filters';

export type HideableColumn = (typeof HIDEABLE_COLUMNS)[number];

/** The parameters of the URL that a view stores. */
const KEPT = [
  'q',
  'type',
  'group',
  'tag',
  'region',
  'status',
  'sort',
  'by',
  'rows',
  'hide',
] as const;

/** Returns the query of a new view, for POST. */
export function readQuery(search: Search): Readonly<Record<string, string>> {
  return pickFilters(search, KEPT);
}

/** Returns the query for PATCH. null removes a parameter. */
export function buildQueryChange(search: Search): Readonly<Record<string, string | null>> {
  const query = readQuery(search);
  return Object.fromEntries(KEPT.map((name) => [name, query[name] ?? null]));
}

/** Returns the parameters of the URL that shows the view. */
export function buildSearch({ id, query }: SavedView): Search {
  return { ...pickFilters(withoutGaps(query), KEPT), view: id };
}

/** True if the URL differs from its view. */
export function isEdited({ query }: SavedView, search: Search): boolean {
  const [saved, shown] = [withoutGaps(query), readQuery(search)];
  return KEPT.some((name) => saved[name] !== shown[name]);
}

function withoutGaps(query: SavedView['query']): Search {
  const texts = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(texts);
}

export function hiddenColumns({ hide }: Search): readonly HideableColumn[] {
  const given = hide?.split(',') ?? [];
  return HIDEABLE_COLUMNS.filter((column) => given.includes(column));
}

/** Returns the URL's `hide` after a column was shown or hidden. undefined means that no column is hidden. */
export function toggleColumn(search: Search, column: HideableColumn): string | undefined {
  const hidden = hiddenColumns(search);
  const next = HIDEABLE_COLUMNS.filter((one) => hidden.includes(one) !== (one === column));
  return next.length === 0 ? undefined : next.join(',');
}

/** The path of all saved views. An account may have at most 200. */
export const SAVED_VIEWS = '/v1/saved-views?limit=200';
