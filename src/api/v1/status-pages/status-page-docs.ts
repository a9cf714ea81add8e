/** What the reference says of status pages. */
import { statusPage, statusPagePage } from '../../../schemas/responses/status-pages';
import { PATCHES } from '../../openapi/named-shapes';
import type { RouteDocs } from '../../openapi/route-doc';

const PAGES = { tag: 'Status pages' } as const;
const EXAMPLE = { slug: 'example', title: 'Example status', isPublic: true };

export const STATUS_PAGE_DOCS: RouteDocs = {
  'GET /v1/status-pages': {
    ...PAGES,
    summary: 'List status pages, newest first',
    answers: { 200: { says: 'A page of the list', shape: statusPagePage } },
  },
  'POST /v1/status-pages': {
    ...PAGES,
    summary: 'Create a status page, which is off unless `isPublic` is true',
    answers: { 201: { says: 'The status page', shape: statusPage } },
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
  },
  'GET /v1/status-pages/:pageId': {
    ...PAGES,
    summary: 'Read a status page as it was configured',
    answers: { 200: { says: 'The status page', shape: statusPage }, 304: { says: 'Unchanged' } },
  },
  'PUT /v1/status-pages/:pageId': {
    ...PAGES,
    summary: 'Replace the whole status page',
    answers: { 200: { says: 'The status page', shape: statusPage } },
    codes: ['key_taken', 'version_mismatch'],
    example: EXAMPLE,
  },
  'PATCH /v1/status-pages/:pageId': {
    ...PAGES,
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    answers: { 200: { says: 'The status page', shape: statusPage } },
    codes: ['key_taken', 'version_mismatch'],
    body: PATCHES.StatusPagePatch,
    example: { isPublic: false },
  },
  'DELETE /v1/status-pages/:pageId': {
    ...PAGES,
    summary: 'Delete a status page; outsiders find nothing there any more',
    answers: { 204: { says: 'Done; no body' } },
    codes: ['version_mismatch'],
  },
};
