/**
 * Writes the automatic posts about incidents of a status page: a draft when an incident opens, and the last update when
 * it is over. Pure. Returns the same post if there is nothing to write.
 */
import type { PostSettings, PostState, StatusPageLanguage } from '../../contracts/status-pages';
import { cutText } from '../text/cut-text';
import { isFollowing, isOver, type Post, type PostUpdate, UPDATES_MAX, withUpdate } from './post';
import { POST_WORDS } from './post-words';

export const TITLE_MAX = 200;
export const TEXT_MAX = 10_000;

const ITEMS = /\{\{\s*items\s*\}\}/g;
/** Characters with a meaning in Markdown. */
const MARKDOWN = /[\\*_`[\]<>~]/g;

/** The texts of an automatic post, from the templates of the page or from the built-in texts in its language. */
export interface DraftWords {
  readonly title: string;
  readonly opened: string;
  readonly resolved: string;
}

export function draftWords(
  { templates }: Pick<PostSettings, 'templates'>,
  names: readonly string[],
  language: StatusPageLanguage,
): DraftWords {
  const ours = POST_WORDS[language];
  const opened = templates.find(({ use }) => use === 'opened') ?? ours.opened;
  const resolved = templates.find(({ use }) => use === 'resolved')?.text ?? ours.resolved;
  const inMarkdown = names.map(escapeMarkdown);
  return {
    title: cutText(fillItems(opened.title, names, language), TITLE_MAX),
    opened: cutText(fillItems(opened.text, inMarkdown, language), TEXT_MAX),
    resolved: cutText(fillItems(resolved, inMarkdown, language), TEXT_MAX),
  };
}

export function fillItems(
  text: string,
  names: readonly string[],
  language: StatusPageLanguage,
): string {
  const items = names.length === 0 ? POST_WORDS[language].noItems : names.join(', ');
  return text.replaceAll(ITEMS, () => items);
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(MARKDOWN, String.raw`\$&`);
}

/** The id, time and texts of an update that the service writes. */
export interface Written {
  readonly updateId: string;
  readonly atMs: number;
  readonly words: DraftWords;
}

/** Adds another incident to a draft that is not published yet. */
export function withIncident(
  post: Post,
  incident: { readonly id: string; readonly itemId: string },
  words: DraftWords,
): Post {
  const joined: Post = {
    ...post,
    incidentIds: [...post.incidentIds, incident.id],
    affected: [...new Set([...post.affected, incident.itemId])],
  };
  if (post.isTouched) return joined;
  const updates = post.updates.map((update) => ({ ...update, text: words.opened }));
  return { ...joined, title: words.title, updates };
}

/** True for an unpublished automatic draft whose incidents are not over. */
export function acceptsIncidents(post: Post): boolean {
  return post.state === 'draft' && isFollowing(post);
}

/**
 * Writes the last update once all incidents are over. The update is published at once if the post is published and no
 * person has changed the post. Otherwise the update is a draft.
 */
export function withEnd(post: Post, { updateId, atMs, words }: Written): Post {
  if (!isFollowing(post) || post.updates.length >= UPDATES_MAX) return post;
  const isOurs = post.state === 'published' && !post.isTouched;
  const update = {
    ...buildOwnUpdate(updateId, 'resolved', atMs),
    text: words.resolved,
    isDraft: !isOurs,
  };
  // There is nothing left to announce, so the draft is no longer published automatically. If a person has changed the
  // draft, the planned time of publication stays.
  return { ...withUpdate(post, update), publishAtMs: post.isTouched ? post.publishAtMs : null };
}

/**
 * Handles an incident that goes on after it seemed to be over. If the update about its end is still a draft, removes
 * this update. Otherwise adds an update, unless a person has changed the post.
 */
export function withReturn(post: Post, { updateId, atMs, words }: Written): Post {
  const last = post.updates.at(-1);
  if (last === undefined || last.by !== null || last.state !== 'resolved') return post;
  if (last.isDraft) return { ...post, updates: post.updates.slice(0, -1) };
  if (post.isTouched || !isOver(post) || post.updates.length >= UPDATES_MAX) return post;
  const update = {
    ...buildOwnUpdate(updateId, 'investigating', atMs),
    text: words.opened,
    isDraft: false,
  };
  return withUpdate(post, update);
}

function buildOwnUpdate(
  id: string,
  state: PostState,
  atMs: number,
): Omit<PostUpdate, 'text' | 'isDraft'> {
  return { id, state, atMs, by: null };
}

/** Returns the first update of a draft. */
export function createFirstUpdate({ updateId, atMs, words }: Written): PostUpdate {
  return { ...buildOwnUpdate(updateId, 'investigating', atMs), text: words.opened, isDraft: true };
}
