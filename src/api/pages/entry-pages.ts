/**
 * The pages for people who are not signed in: setup, sign-in, and the pages behind links in emails. They use /v1 and
 * contain no inline scripts.
 */
import { type RequestHandler, Router } from 'express';
import type { SignInOptions } from '../../schemas/responses/sign-in';
import { ENTRY_SCRIPT } from './entry-script';
import { ENTRY_STYLE } from './entry-style';
import { LOGO } from './logo';
import { renderFontFace, renderFontPreload } from './shipped-font';
import {
  describePasswords,
  FACTOR_FORM,
  renderFormChoice,
  renderWays,
} from './sign-in/sign-in-page';
import { SIGN_IN_SCRIPT } from './sign-in/sign-in-script';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  readonly minLength?: number;
}

interface EntryPage {
  readonly title: string;
  /** The URL that receives the fields as JSON. */
  readonly action: string;
  readonly button: string;
  /** The page to open after success. The parameter `next` in the URL takes precedence. */
  readonly next?: string;
  /** A paragraph above the fields. */
  readonly intro?: string;
  /** Shown after success, instead of going to the next page. */
  readonly done?: string;
  /** Rendered choices between the fields and the button. */
  readonly choices?: string;
  /** Further ways to sign in, below the fields. */
  readonly more?: string;
  /** A script in addition to the script of all pages. */
  readonly script?: string;
  /** A link to another page that people may be looking for. */
  readonly other?: { readonly href: string; readonly text: string };
  readonly fields: readonly Field[];
}

const EMAIL: Field = { name: 'email', label: 'Email', type: 'email', autocomplete: 'username' };

const LOGIN: EntryPage = {
  title: 'Sign in',
  action: '/v1/session',
  button: 'Sign in',
  fields: [
    EMAIL,
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  ],
  other: { href: '/password-forgotten', text: 'Forgot your password?' },
};

/** Creates the sign-in page with only the ways to sign in that the settings allow. */
function createLogin(options: SignInOptions): EntryPage {
  const { other, ...login } = LOGIN;
  const intro = describePasswords(options);
  const more = `${renderWays(options)}\n${FACTOR_FORM}`;
  const choices = renderFormChoice(options);
  const page = { ...login, intro, choices, more, script: '/sign-in.js' };
  if (options.passwords === 'off') return { ...page, fields: [], button: '' };
  return other === undefined ? page : { ...page, other };
}

const TOKEN: Field = {
  name: 'token',
  label: 'Link token',
  type: 'text',
  autocomplete: 'off',
};
const NEW_PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  hint: 'At least 12 characters',
  minLength: 12,
  type: 'password',
  autocomplete: 'new-password',
};

const INVITATION: EntryPage = {
  title: 'Join your team',
  intro:
    'You were invited to Keepwatch. Choose a password to sign in with, or enter yours if you already have one here.',
  action: '/v1/invitations/accept',
  button: 'Accept invitation',
  other: { href: '/login', text: 'Sign in instead' },
  fields: [TOKEN, NEW_PASSWORD],
};

const OWNER_LINK: EntryPage = {
  title: 'Sign in as owner',
  intro: 'This link was created on the server. It works once.',
  action: '/v1/sign-in/owner-link',
  button: 'Sign in',
  other: { href: '/login', text: 'Sign in in another way' },
  fields: [TOKEN],
};

const PASSWORD_RESET: EntryPage = {
  title: 'Set a password',
  action: '/v1/password/reset',
  button: 'Set password',
  next: '/login',
  other: { href: '/password-forgotten', text: 'Request a new link' },
  fields: [TOKEN, NEW_PASSWORD],
};

const PASSWORD_FORGOTTEN: EntryPage = {
  title: 'Forgot your password?',
  action: '/v1/password/reset-request',
  button: 'Send a link',
  done: 'If the email belongs to a member, a message with a link is on its way.',
  other: { href: '/login', text: 'Sign in' },
  fields: [EMAIL],
};

const ACCOUNT_NAME: Field = {
  name: 'accountName',
  label: 'Account name',
  type: 'text',
  autocomplete: 'organization',
};

/** The page that a registration link opens. */
const REGISTER: EntryPage = {
  title: 'Create your account',
  intro: 'Choose a password to sign in with, or enter yours if you already have one here.',
  action: '/v1/registrations/confirm',
  button: 'Create account',
  fields: [TOKEN, ACCOUNT_NAME, NEW_PASSWORD],
};

const REGISTRATION: EntryPage = {
  title: 'Create an account',
  action: '/v1/registrations',
  button: 'Send a link',
  done: 'A message with a link to confirm your email address is on its way.',
  other: { href: '/login', text: 'Sign in' },
  fields: [ACCOUNT_NAME, EMAIL],
};

/** The page for forgotten passwords without a mail server: the link is only written to the log. */
const NO_MAIL: EntryPage = {
  ...PASSWORD_FORGOTTEN,
  intro:
    'This installation cannot send email. Ask for a link here, then ask your administrator to pass it on: the link is written to the server log.',
  button: 'Request a link',
  done: 'If the email belongs to a member, a link was written to the server log. Ask your administrator for it.',
};

const SETUP: EntryPage = {
  title: 'Set up Keepwatch',
  intro: 'Create the first account and its owner. You are then signed in and can add a monitor.',
  action: '/v1/setup',
  button: 'Create account',
  fields: [
    {
      name: 'setupToken',
      label: 'Set-up token',
      hint: 'It is in the link that the service printed at its start. Find it again in the log (with containers: docker logs), or in the file setup-token of the data folder.',
      type: 'text',
      autocomplete: 'off',
    },
    ACCOUNT_NAME,
    EMAIL,
    NEW_PASSWORD,
  ],
};

function render(
  {
    title,
    action,
    button,
    fields,
    next = '/',
    intro = '',
    done = '',
    choices = '',
    more = '',
    ...page
  }: EntryPage,
  fontUrl: string | null,
): string {
  const { other, script } = page;
  const link =
    other === undefined ? '' : `<p class="other"><a href="${other.href}">${other.text}</a></p>`;
  const submit = button === '' ? '' : `<button>${button}</button>`;
  const extra = script === undefined ? '' : `\n<script src="${script}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Keepwatch</title>
${renderFontPreload(fontUrl)}<link rel="stylesheet" href="/entry.css">
</head>
<body>
<main>
<p class="brand">${LOGO} Keepwatch</p>
<h1>${title}</h1>
${intro === '' ? '' : `<p id="intro">${intro}</p>`}
<form novalidate data-action="${action}" data-next="${next}" data-done="${done}">
${fields.map(renderField).join('\n')}
${choices}
<p id="problem" role="alert"></p>
${submit}
</form>
${more}
${link}
<p id="said" role="status"></p>
<section id="done" hidden>
<p><a class="go" href="/">Open the dashboard</a></p>
<p>For scripts and the command line, this is an admin API key. Copy it now if you need it. You won’t be able to see it again, but you can create others under Settings, API keys.</p>
<output id="key"></output>
<p><button type="button" id="copy" class="plain">Copy API key</button></p>
<p><a href="/docs">API reference</a></p>
</section>
</main>
<script src="/entry.js"></script>${extra}
</body>
</html>
`;
}

/**
 * Renders a field. Turns spell checking off for passwords, because a browser could send a shown password to its
 * spelling service.
 */
function renderField({ name, label, type, autocomplete, hint, minLength }: Field): string {
  const isPassword = type === 'password';
  const quiet = isPassword ? ' spellcheck="false" autocapitalize="none"' : '';
  const least = minLength === undefined ? '' : ` minlength="${minLength}"`;
  const about = hint === undefined ? '' : `<small>${hint}</small>`;
  const input = `${about}<input name="${name}" type="${type}" autocomplete="${autocomplete}"${quiet}${least} required>`;
  const show = '<label class="show"><input type="checkbox" id="show"> Show password</label>';
  return `<label>${label}${input}</label>${isPassword ? show : ''}`;
}

const withPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', POLICY);
  response.set('Cache-Control', 'no-store');
  response.set('Referrer-Policy', 'no-referrer');
  next();
};

export interface EntryPageOptions {
  /** False means that no mail server is configured. */
  readonly isMailSetUp: boolean;
  readonly signIn: SignInOptions;
  /** URL of the dashboard's font. null means that this process does not serve it. */
  readonly fontUrl: string | null;
}

export function createEntryPages({ isMailSetUp, signIn, fontUrl }: EntryPageOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const serve = (path: string, type: string, text: string): void => {
    router.get(path, withPolicy, (_request, response) => {
      response.type(type).send(text);
    });
  };
  const servePage = (path: string, page: EntryPage): void =>
    serve(path, 'html', render(page, fontUrl));
  servePage('/login', createLogin(signIn));
  servePage('/owner-link', OWNER_LINK);
  serve('/sign-in.js', 'js', SIGN_IN_SCRIPT);
  servePage('/setup', SETUP);
  servePage('/invitation', INVITATION);
  servePage('/register', REGISTER);
  servePage('/registration', REGISTRATION);
  servePage('/password-reset', PASSWORD_RESET);
  servePage('/password-forgotten', isMailSetUp ? PASSWORD_FORGOTTEN : NO_MAIL);
  serve('/entry.css', 'css', `${renderFontFace(fontUrl)}\n${ENTRY_STYLE}`);
  serve('/entry.js', 'js', ENTRY_SCRIPT);
  router.get('/', (_request, response) => {
    response.redirect(303, '/docs');
  });
  return router;
}
