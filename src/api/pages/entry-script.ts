/** The script of the entry pages. It calls only /v1 of its own origin and stores nothing. */

/**
 * `next` is used only if it resolves to a URL of this origin. Checking only the path is not enough, because a path
 * could name another host (`/.//host`). Tokens come after the `#`, so that servers and logs do not see them.
 */
export const ENTRY_SCRIPT = `'use strict';
const form = document.querySelector('form');
const problem = document.getElementById('problem');
const query = new URLSearchParams(location.search);
const linked = form.elements.namedItem('setupToken') ?? form.elements.namedItem('token');
if (linked !== null) linked.value = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
// Hides the field of a value that came with the link. The field is shown again if the server refuses the value.
const labelOf = (field) => field?.closest('label') ?? null;
if (linked?.value) labelOf(linked).hidden = true;
// Redirects to the set-up page if the installation is new, because no one can sign in yet.
if (form.dataset.action === '/v1/session')
  fetch('/v1/setup').then((response) => response.json()).then(({ required }) => {
    if (required) location.replace('/setup');
  }).catch(() => undefined);
document.getElementById('copy').onclick = ({ currentTarget }) => {
  const key = document.getElementById('key');
  const copied = async () => navigator.clipboard.writeText(key.textContent);
  // Without TLS, the browser offers no clipboard, so the text is selected instead.
  copied().then(() => { currentTarget.textContent = 'Copied'; }, () => getSelection().selectAllChildren(key));
};
function nameOf(field) {
  return labelOf(field)?.firstChild.textContent ?? '';
}
function sentenceOf({ path, message }) {
  return (nameOf(form.elements.namedItem(path)) || path) + ' ' + message + '.';
}
// Marks the refused fields. The first of them gets the focus, or the last field if none was refused.
function showRefused(errors) {
  const fields = [...form.elements].filter(({ type }) => type !== 'submit' && type !== 'checkbox');
  for (const field of fields) field.ariaInvalid = String(errors.some(({ path }) => path === field.name));
  const next = fields.find(({ ariaInvalid }) => ariaInvalid === 'true') ?? fields.at(-1);
  next?.focus();
  next?.select();
}
// Shows the field of the value from the link only if this value may have been refused.
function showProblems(errors, detail) {
  problem.textContent = errors?.map(sentenceOf).join(' ') ?? detail;
  if (linked !== null && (errors?.some(({ path }) => path === linked.name) ?? true)) labelOf(linked).hidden = false;
  showRefused(errors ?? []);
}
// Sets the heading and moves the focus to it, so that screen readers announce the new content.
function enter(title) {
  const heading = document.querySelector('h1');
  if (title !== undefined) heading.textContent = title;
  document.getElementById('intro')?.remove();
  heading.tabIndex = -1;
  heading.focus();
}
// Focuses the first empty field. A link may have filled in the token already.
[...form.elements].find(({ name, value }) => name !== '' && value === '')?.focus();
document.getElementById('show')?.addEventListener('change', ({ currentTarget }) => {
  form.elements.namedItem('password').type = currentTarget.checked ? 'text' : 'password';
});
function nextAddress() {
  const next = query.get('next') ?? form.dataset.next;
  const target = URL.canParse(next, location.origin) ? new URL(next, location.origin).href : '';
  return target.startsWith(location.origin + '/') ? target : location.origin + '/';
}
// Returns the parsed body. The body may be empty, or the page of a proxy in front of the service.
// In both cases, there are no fields to read.
function bodyOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
// Asks for the second factor. Only the sign-in page has the fields for it; other pages redirect to
// it.
function askSecondFactor(asked) {
  if (typeof askFactor === 'function') askFactor(asked);
  else location.assign('/login?' + new URLSearchParams({ next: nextAddress() }) + '#' + new URLSearchParams({ token: asked.token, methods: asked.methods }));
}
// Only the sign-in page has the choice to stay signed in.
function chosen() {
  return document.getElementById('stay')?.checked === true ? { staySignedIn: true } : {};
}
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  const missing = [...form.elements].filter(({ required, value }) => required && value === '');
  if (missing.length > 0) {
    problem.textContent = missing.map((field) => 'Enter your ' + nameOf(field).toLowerCase() + '.').join(' ');
    showRefused(missing.map(({ name }) => ({ path: name })));
    return;
  }
  const response = await fetch(form.dataset.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...chosen() }),
  }).catch(() => null);
  if (response === null) {
    problem.textContent = 'Can’t reach Keepwatch.';
    return;
  }
  const body = bodyOf(await response.text());
  if (response.ok && body.secondFactor !== undefined) {
    askSecondFactor(body.secondFactor);
    return;
  }
  if (!response.ok) {
    showProblems(body.errors, body.detail ?? 'Keepwatch is not available. Try again later.');
    return;
  }
  if (form.dataset.done !== '') {
    form.hidden = true;
    document.getElementById('said').textContent = form.dataset.done;
    enter();
    return;
  }
  if (body.apiKey === undefined) {
    location.assign(nextAddress());
    return;
  }
  form.hidden = true;
  document.getElementById('key').textContent = body.apiKey.key;
  document.getElementById('done').hidden = false;
  enter('Account created');
});
`;
