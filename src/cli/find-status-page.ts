/** Finds status pages by key, slug or id, and their items by name or id. */
import { findNearestItems } from '../domain/text/nearest-word';
import { CliError, EXIT_CODES, usageError } from './cli-error';
import type { Client } from './client';
import { type StatusPage, statusPageShape } from './shapes';

/**
 * Finds the page with the reference. Without a reference, returns the account's only page. Throws if no page or more
 * than one page matches.
 */
export async function findStatusPage(
  client: Client,
  reference: string | undefined,
): Promise<StatusPage> {
  const pages = await client.list('v1/status-pages', statusPageShape);
  const names = pages.map(({ key, slug }) => key ?? slug);
  if (pages.length === 0)
    throw new CliError(EXIT_CODES.rejected, 'There is no status page yet.', {
      code: 'not_found',
      hint: 'Create one in the dashboard, or with keepwatch apply.',
    });
  if (reference === undefined) {
    const [only] = pages;
    if (only !== undefined && pages.length === 1) return only;
    throw usageError(
      'There are several status pages.',
      `Choose one with --page: ${listed(names)}.`,
    );
  }
  const found =
    pages.find(({ id, key }) => id === reference || key === reference) ??
    pages.find(({ slug }) => slug === reference);
  if (found !== undefined) return found;
  const likely = findNearestItems(reference, names, (name) => [name]);
  throw new CliError(
    EXIT_CODES.rejected,
    `There is no status page with the key or slug ${reference}.`,
    {
      code: 'not_found',
      hint:
        likely.length === 0 ? `Existing pages: ${listed(names)}.` : `Similar: ${listed(likely)}.`,
    },
  );
}

/** Returns the ids of the page's items. Throws one error that names all unknown items. */
export function findItems(page: StatusPage, references: readonly string[]): readonly string[] {
  const items = page.groups.flatMap((group) => group.items);
  const ids = references.map(
    (reference) => items.find(({ id, name }) => id === reference || name === reference)?.id,
  );
  const unknown = references.filter((_reference, at) => ids[at] === undefined);
  if (unknown.length === 0) return ids.flatMap((id) => id ?? []);
  throw new CliError(EXIT_CODES.rejected, `${page.title} does not show ${unknown.join(', ')}.`, {
    code: 'not_found',
    hint:
      items.length === 0
        ? 'It has no items yet.'
        : `Its items: ${listed(items.map(({ name }) => name))}.`,
  });
}

const LISTED_MAX = 20;

function listed(names: readonly string[]): string {
  const more = names.length - LISTED_MAX;
  return `${names.slice(0, LISTED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
