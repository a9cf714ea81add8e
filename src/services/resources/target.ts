/** Finds the host of a target before a request is sent, and whether the target is blocked. */
import { getDomain } from 'tldts';
import type { Auth, Variable } from '../../contracts/definition';
import { listTokenUrls } from '../../domain/definitions/auth';
import { findGroupKey } from '../../domain/definitions/grouping';
import { findKnownOrigin } from '../../domain/templates/known-origin';
import type { FieldProblem } from '../../platform/errors';
import type { SentVariable } from '../../schemas/fields';
import type { Dependencies } from '../ports/dependencies';
import { listPlainVariables } from '../secrets/secret-variables';

/** Stored or sent variables. URLs contain no secret variables. */
export type Variables = readonly (Variable | SentVariable)[];

const UNKNOWN_YET = { uuid: 'x', now: 'x', runId: 'x', region: 'x' };

/** Returns the origin of a URL. null if a part of the origin comes from an earlier step and is not known yet. */
export function findOrigin(url: string, variables: Variables): URL | null {
  const plain = listPlainVariables(variables).map(({ name, value }) => [name, value] as const);
  return findKnownOrigin(url, { variables: new Map(plain), generated: UNKNOWN_YET });
}

/** Returns the host for display. Empty if the host is not known before a run. */
export function findHost(url: string, variables: Variables): string {
  return findOrigin(url, variables)?.host ?? '';
}

interface Searchable {
  readonly name: string;
  readonly key: string | null;
  readonly urls: readonly string[];
  readonly variables: Variables;
}

/** Builds the text for searches: name, key and hosts in lower case, each on its own line. */
export function buildSearchText({ name, key, urls, variables }: Searchable): string {
  const hosts = new Set(urls.map((url) => findHost(url, variables)));
  return [name, key ?? '', ...hosts].join('\n').toLowerCase();
}

/** Returns the group key: the given group, or else the registrable domain of the URL, or else its host. */
export function groupKeyFor(group: string | null, url: string, variables: Variables): string {
  const host = findOrigin(url, variables)?.hostname ?? '';
  return findGroupKey(group, host, getDomain(host, { allowPrivateDomains: true }));
}

interface Addresses {
  readonly targets: readonly { readonly path: string; readonly url: string }[];
  readonly variables: Variables;
  /** The stored URLs, whose origins are not checked again. null means that nothing is stored. */
  readonly stored: { readonly urls: readonly string[]; readonly variables: Variables } | null;
}

/** Returns the token URLs of a monitor, a step or a whole scenario, with their paths in the body. */
export function listTokenTargets(sent: { readonly auth: Auth | null }): Addresses['targets'] {
  return listTokenUrls(sent).map((url) => ({ path: 'auth.tokenUrl', url }));
}

/** Returns a problem for each URL that the target guard blocks. Stored origins are not checked again. */
export function findBlockedTargets(
  { findBlockedTarget }: Pick<Dependencies, 'findBlockedTarget'>,
  { targets, variables, stored }: Addresses,
): readonly FieldProblem[] {
  const storedOrigins = new Set(stored?.urls.map((url) => findOrigin(url, stored.variables)?.href));
  return targets.flatMap(({ path, url }) => {
    const origin = findOrigin(url, variables);
    const isAsked = origin !== null && !storedOrigins.has(origin.href);
    const reason = isAsked ? findBlockedTarget(origin.href) : null;
    return reason === null ? [] : [{ path, code: 'blocked_target', message: reason }];
  });
}
