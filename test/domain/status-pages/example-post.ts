/** Builds an example of a post about an incident. */
import type { Post, PostUpdate } from '../../../src/domain/status-pages/post';

export const NOW = Date.UTC(2026, 10, 20, 12);

export function updateOf(fields: Partial<PostUpdate> = {}): PostUpdate {
  return {
    id: 'upd_1',
    state: 'investigating',
    text: 'We look into it.',
    atMs: NOW,
    by: 'ann@example.com',
    isDraft: true,
    ...fields,
  };
}

export function postOf(fields: Partial<Post> = {}): Post {
  return {
    id: 'pst_1',
    accountId: 'acc_1',
    version: 1,
    pageId: 'stp_1',
    type: 'incident',
    title: 'Payments fail',
    affected: ['mon_1'],
    state: 'draft',
    updates: [updateOf()],
    postMortem: null,
    publishAtMs: null,
    publishedAtMs: null,
    incidentIds: [],
    window: null,
    isTouched: true,
    createdAtMs: NOW,
    updatedAtMs: NOW,
    ...fields,
  };
}
