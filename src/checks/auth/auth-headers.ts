/** Builds the headers for basic and bearer authentication. */
import type { Auth, NamedValue } from '../../contracts/definition';
import { isHeaderValue } from '../../domain/definitions/header-rules';
import { renderText, type TemplateValues } from '../../domain/templates/template';
import { createTemplateFailure, unwrapRendered } from '../rendered';

/** Fills in the references in a text of the definition. */
type Render = (text: string) => string;

/**
 * Returns the headers with the request's credentials, or an empty list if there are none. Throws StepFailure if the
 * credentials cannot be filled in.
 */
export function buildAuthHeaders(
  auth: Auth | undefined,
  values: TemplateValues,
): readonly NamedValue[] {
  if (auth?.type !== 'basic' && auth?.type !== 'bearer') return [];
  const value = authorization(auth, (text) => unwrapRendered(renderText(text, values)));
  if (isHeaderValue(value)) return [{ name: 'authorization', value }];
  throw createTemplateFailure(
    'The credentials in auth contain characters that are not allowed in headers.',
  );
}

function authorization(
  auth: Extract<Auth, { readonly type: 'basic' | 'bearer' }>,
  render: Render,
): string {
  switch (auth.type) {
    case 'basic':
      return basic(render(auth.user), render(auth.password));
    case 'bearer':
      return `Bearer ${render(auth.token)}`;
  }
}

/** Encodes the credentials in UTF-8, as nearly all servers expect (RFC 7617 §2.1). */
function basic(user: string, password: string): string {
  if (user.includes(':')) throw createTemplateFailure('The user in auth must not contain a colon.');
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
