/** Tests that saved views and the URL of the table contain the same parameters. */
import type { SavedView } from '../../../src/dashboard/shared/data/api-types';
import {
  buildQueryChange,
  buildSearch,
  hiddenColumns,
  isEdited,
  readQuery,
  toggleColumn,
} from '../../../src/dashboard/shared/list/view-search';
import { savedViewBody } from '../../../src/schemas/saved-view';

const SEARCH = {
  q: 'shop',
  type: 'http' as const,
  group: 'Shop',
  tag: 'edge',
  region: 'eu-west',
  status: 'down,degraded',
  sort: '-p95',
  by: 'none',
  rows: 'compact',
  hide: 'beats,tls',
};

const viewOf = (query: SavedView['query']): SavedView => ({
  id: 'viw_01arz3ndektsv4rrffq69g5fav',
  version: 1,
  name: 'Slow shop',
  list: 'checks',
  query,
  isShared: false,
  createdBy: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
});

it('a saved view keeps every URL parameter of the table except the page number and the id of the view', () => {
  const known = Object.keys(savedViewBody.shape.query.unwrap().shape);
  expect(Object.keys(SEARCH).toSorted()).toEqual(known.toSorted());
  expect(readQuery({ ...SEARCH, page: '3', view: 'viw_x' })).toEqual(SEARCH);
  expect(savedViewBody.safeParse({ name: 'v', query: readQuery(SEARCH) }).success).toBe(true);
});

it('a saved view opens with its URL parameters and its id, and moving to another page does not count as an edit', () => {
  const { query } = savedViewBody.parse({ name: 'v', query: SEARCH });
  const view = viewOf(query);
  expect(buildSearch(view)).toEqual({ ...SEARCH, view: view.id });
  expect(isEdited(view, { ...buildSearch(view), page: '2' })).toBe(false);
});

it.each([
  ['another value', { ...SEARCH, sort: 'p95' }],
  ['a missing parameter', { q: 'shop' }],
  ['an additional parameter', { ...SEARCH, q: 'shop eu' }],
])('a saved view counts as edited with %s', (_name, search) => {
  expect(isEdited(viewOf({ ...SEARCH, by: 'none', rows: 'compact' }), search)).toBe(true);
});

it('a saved change of a view removes the parameters that the URL no longer has', () => {
  expect(buildQueryChange({ q: 'shop' })).toMatchObject({ q: 'shop', tag: null, hide: null });
});

it('columns of the table can be hidden and shown, and keep a fixed order', () => {
  expect(toggleColumn({}, 'tls')).toBe('tls');
  expect(toggleColumn({ hide: 'tls' }, 'beats')).toBe('beats,tls');
  expect(toggleColumn({ hide: 'beats,tls' }, 'beats')).toBe('tls');
  expect(toggleColumn({ hide: 'tls' }, 'tls')).toBeUndefined();
  expect(hiddenColumns({ hide: 'name,tls,nothing' })).toEqual(['tls']);
});
