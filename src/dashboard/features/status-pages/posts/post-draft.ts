/** The draft of a new post in its form, and the body that /v1 accepts. Pure. */
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

/** Returns the draft with the affected items and the state that a link to the form contains. Ignores other values. */
export function startPost(
  page: Pick<StatusPage, 'groups'>,
  { affected = '', state }: Readonly<Record<string, string | undefined>>,
): PostDraft {
  const ids = affected.split(',');
  return {
    ...NEW_POST,
    affected: listItems(page).flatMap(({ id }) => (ids.includes(id) ? [id] : [])),
    state: findState(NEW_POST.type, state ?? null) ?? NEW_POST.state,
  };
}

export function stateChoices(type: PostType): { value: PostState; label: string }[] {
  return POST_STATES[type].map((state) => ({ value: state, label: STATE_WORDS[state] }));
}

/** Returns the state. null if the word is not a state of this type of post. */
export function findState(type: PostType, word: string | null): PostState | null {
  return POST_STATES[type].find((state) => state === word) ?? null;
}

/** Changes the type and resets the state to the first state of that type. */
export function withType(draft: PostDraft, type: PostType): PostDraft {
  return { ...draft, type, state: POST_STATES[type][0] };
}

type Template = StatusPage['posts']['templates'][number];

/** Fills in title and text from the template, and inserts the names of the affected items. */
export function withTemplate(draft: PostDraft, template: Template, page: StatusPage): PostDraft {
  const names = listNames(page, draft.affected);
  return {
    ...draft,
    title: fillItems(template.title, names, page.language),
    text: fillItems(template.text, names, page.language),
  };
}

export function listItems({ groups }: Pick<StatusPage, 'groups'>) {
  return groups.flatMap(({ items }) => items);
}

export function listNames(page: Pick<StatusPage, 'groups'>, ids: readonly string[]) {
  return listItems(page)
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name);
}

/** Builds the body for a preview, with placeholders for missing texts. */
export function buildPreviewBody({ id }: Pick<StatusPage, 'id'>, draft: PostDraft) {
  return {
    pageId: id,
    ...draft,
    title: draft.title.trim() === '' ? 'Untitled' : draft.title,
    text: draft.text.trim() === '' ? '…' : draft.text,
  };
}

/** True if the post or one of its updates is not yet visible to visitors. */
export function hasDrafts({ state, updates }: Pick<StatusPagePost, 'state' | 'updates'>): boolean {
  return state === 'draft' || updates.some(({ isDraft }) => isDraft);
}

/** Returns the most likely state of the next update: the state after the post's current state. */
export function nextState({ type, status }: Pick<StatusPagePost, 'type' | 'status'>): PostState {
  const states: readonly PostState[] = POST_STATES[type];
  return states[states.indexOf(status) + 1] ?? status;
}

export function isOver({ status }: Pick<StatusPagePost, 'status'>): boolean {
  return ['resolved', 'completed', 'cancelled'].includes(status);
}

/** Adds the subscribers to the words of a button, like `Publish and notify 12 subscribers`. */
export function publishWords(action: string, readers: number): string {
  if (readers === 0) return action;
  return `${action} and notify ${readers} subscriber${readers === 1 ? '' : 's'}`;
}
