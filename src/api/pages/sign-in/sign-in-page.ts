/** Renders the parts of the sign-in page other than email and password as HTML. */
import type { SignInOptions } from '../../../schemas/responses/sign-in';
import { escapeHtml } from '../escape-html';

/** Renders the buttons for providers and passkeys. Empty if there are none. */
export function renderWays({ providers, passkeys }: SignInOptions): string {
  const links = providers.map(
    ({ name, startUrl }) =>
      `<a class="go plain provider" href="${escapeHtml(startUrl)}">Sign in with ${escapeHtml(name)}</a>`,
  );
  const button = passkeys
    ? ['<button type="button" id="passkey" class="plain">Sign in with a passkey</button>']
    : [];
  return `<div id="ways" class="ways">${[...links, ...button].join('\n')}</div>`;
}

/** The hidden step for the second factor. */
export const FACTOR_FORM = `<form id="factor" novalidate hidden>
<label>Code<input name="factor" type="text" autocomplete="one-time-code" spellcheck="false" autocapitalize="none" required></label>
<button>Sign in</button>
<p id="others" class="ways"></p>
</form>`;

export function describePasswords({ passwords, providers }: SignInOptions): string {
  if (passwords === 'on') return '';
  if (passwords === 'owners') return 'Only owners sign in with a password.';
  return providers.length > 0 ? '' : 'This installation does not accept passwords.';
}
