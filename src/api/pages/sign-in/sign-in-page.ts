/** Renders the parts of the sign-in page other than email and password as HTML. */
import type { SignInOptions } from '../../../schemas/responses/sign-in';
import { escapeHtml } from '../escape-html';

/** The choice to stay signed in, off by default. It applies to every way to sign in on the page. */
const STAY_SIGNED_IN = `<label class="show stay"><input type="checkbox" id="stay" autocomplete="off" aria-describedby="stay-hint"> Stay signed in on this device</label>
<small id="stay-hint">For 7 days without use. Choose it on your own phone or computer only.</small>`;

/** Renders the choice to stay signed in for the form of the password. Empty if the page accepts no password. */
export function renderFormChoice({ passwords }: SignInOptions): string {
  return passwords === 'off' ? '' : STAY_SIGNED_IN;
}

/** Renders the buttons for providers and passkeys. Empty if there are none. */
export function renderWays({ passwords, providers, passkeys }: SignInOptions): string {
  const links = providers.map(
    ({ name, startUrl }) =>
      `<a class="go plain provider" href="${escapeHtml(startUrl)}">Sign in with ${escapeHtml(name)}</a>`,
  );
  const button = passkeys
    ? ['<button type="button" id="passkey" class="plain">Sign in with a passkey</button>']
    : [];
  const ways = [...links, ...button];
  const choice = passwords === 'off' && ways.length > 0 ? [`<div>${STAY_SIGNED_IN}</div>`] : [];
  return `<div id="ways" class="ways">${[...choice, ...ways].join('\n')}</div>`;
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
