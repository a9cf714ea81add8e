/** A new post as it is typed, and as /v1 takes it. Pure. */
import { POST_STATES, type PostState, type PostType } from '../../../../contracts/status-pages';
import { fillItems } from '../../../../domain/status-pages/incident-post';
import type { StatusPage, StatusPagePost } from '../../../shared/data/api-types';

export const POSTS_PATH = '/v1/status-page-posts';
export const TITLE_MAX = 200;
export const TEXT_MAX = 10_000;

export const STATE_WORDS: Readonly<Record<PostState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  started: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export interface PostDraft {
  readonly type: PostType;
  readonly title: string;
  readonly affected: readonly string[];
  readonly state: PostState;
  readonly text: string;
}

export const NEW_POST: PostDraft = {
  type: 'incident',
  title: '',
  affected: [],
  state: 'investigating',
  text: '',
};

export function stateChoices(type: PostType): { value: PostState; label: string }[] {
  return POST_STATES[type].map((state) => ({ value: state, label: STATE_WORDS[state] }));
}

/** null for a word that is no state of such posts. */
export function stateOf(type: PostType, word: string | null): PostState | null {
  return POST_STATES[type].find((state) => state === word) ?? null;
}

/** Another type begins with its own first state. */
export function withType(draft: PostDraft, type: PostType): PostDraft {
  return { ...draft, type, state: POST_STATES[type][0] };
}

type Template = StatusPage['posts']['templates'][number];

/** With the words of the template about the affected items. */
export function withTemplate(draft: PostDraft, template: Template, page: StatusPage): PostDraft {
  const names = namesOf(page, draft.affected);
  return {
    ...draft,
    title: fillItems(template.title, names, page.language),
    text: fillItems(template.text, names, page.language),
  };
}

export function itemsOf({ groups }: Pick<StatusPage, 'groups'>) {
  return groups.flatMap(({ items }) => items);
}

export function namesOf(page: Pick<StatusPage, 'groups'>, ids: readonly string[]) {
  return itemsOf(page)
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name);
}

/** What is not typed yet stands in a preview as what it will be. */
export function previewBodyOf({ id }: Pick<StatusPage, 'id'>, draft: PostDraft) {
  return {
    pageId: id,
    ...draft,
    title: draft.title.trim() === '' ? 'Untitled' : draft.title,
    text: draft.text.trim() === '' ? '…' : draft.text,
  };
}

/** Nobody outside sees something of it yet. */
export function hasDrafts({ state, updates }: Pick<StatusPagePost, 'state' | 'updates'>): boolean {
  return state === 'draft' || updates.some(({ isDraft }) => isDraft);
}

/** What has just to be written: the next state of the post. */
export function nextState({ type, status }: Pick<StatusPagePost, 'type' | 'status'>): PostState {
  const states: readonly PostState[] = POST_STATES[type];
  return states[states.indexOf(status) + 1] ?? status;
}

export function isOver({ status }: Pick<StatusPagePost, 'status'>): boolean {
  return ['resolved', 'completed', 'cancelled'].includes(status);
}
