/** The additional script of the sign-in page: identity providers, passkeys and second factors. */
import { REFUSAL_TEXTS } from '../../../domain/accounts/sign-in-refusals';

/** Converts passkeys to and from JSON in base64url. `credential.toJSON` would do this, but older browsers lack it. */
const PASSKEY_CODE = `
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
const toText = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
async function askPasskey(options) {
  const allowCredentials = options.allowCredentials?.map((one) => ({ ...one, id: toBytes(one.id) }));
  const publicKey = { ...options, challenge: toBytes(options.challenge), allowCredentials };
  const { id, rawId, type, response } = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id, type, rawId: toText(rawId), clientExtensionResults: {},
    response: {
      clientDataJSON: toText(clientDataJSON), authenticatorData: toText(authenticatorData),
      signature: toText(signature), userHandle: userHandle === null ? undefined : toText(userHandle),
    },
  };
}
`;

export const SIGN_IN_SCRIPT = `'use strict';
const REFUSALS = ${JSON.stringify(REFUSAL_TEXTS)};
${PASSKEY_CODE}
const ways = document.getElementById('ways');
const factorForm = document.getElementById('factor');
const passkeyButton = document.getElementById('passkey');
let step = null;
async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  }).catch(() => null);
  if (response === null) throw new Error('Can’t reach Keepwatch.');
  const read = bodyOf(await response.text());
  if (!response.ok) throw new Error(read.errors?.map(sentenceOf).join(' ') ?? read.detail ?? 'Keepwatch is not available. Try again later.');
  return read;
}
// Shows the error. If the person closed the browser's passkey dialog, shows how to continue.
function showError(error) {
  const isClosed = error.name === 'NotAllowedError' || error.name === 'AbortError';
  problem.textContent = isClosed ? 'The passkey was not used. Try again, or sign in in another way.' : error.message;
}
async function finishOrAskFactor(body) {
  if (body.secondFactor === undefined) location.assign(nextAddress());
  else askFactor(body.secondFactor);
}
// Hides the fields for the first factor, and shows the fields for the second factor.
function askFactor({ token, methods }) {
  step = { token, methods };
  form.hidden = true;
  ways.hidden = true;
  for (const link of document.querySelectorAll('.other')) link.hidden = true;
  factorForm.hidden = false;
  factorForm.append(problem);
  showMethod(methods.includes('code') ? 'code' : methods[0]);
  enter('Second factor');
  factorForm.elements.namedItem('factor').focus();
}
const METHODS = {
  code: { label: 'Code from your authenticator app', other: 'Use a code of your authenticator app' },
  recoveryCode: { label: 'Recovery code', other: 'Use a recovery code' },
  passkey: { label: '', other: 'Use a passkey' },
};
function showMethod(method) {
  problem.textContent = '';
  step.method = method;
  const field = factorForm.elements.namedItem('factor');
  const isTyped = method !== 'passkey';
  field.closest('label').hidden = !isTyped;
  field.closest('label').firstChild.textContent = METHODS[method].label;
  field.value = '';
  field.inputMode = method === 'code' ? 'numeric' : 'text';
  field.autocomplete = method === 'code' ? 'one-time-code' : 'off';
  factorForm.querySelector('button').textContent = isTyped ? 'Sign in' : 'Use passkey';
  const others = step.methods.filter((one) => one !== method);
  document.getElementById('others').replaceChildren(...others.map((one) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = METHODS[one].other;
    button.onclick = () => { showMethod(one); if (one === 'passkey') proveFactor().catch(showError); };
    return button;
  }));
}
async function proveFactor() {
  problem.textContent = '';
  const { token, method } = step;
  const value = factorForm.elements.namedItem('factor').value;
  if (method !== 'passkey') return finishOrAskFactor(await post('/v1/session/second-factor', { token, [method]: value }));
  const asked = await post('/v1/sign-in/passkey/options', { token });
  const response = await askPasskey(asked.options);
  return finishOrAskFactor(await post('/v1/session/second-factor', { token, passkey: { token: asked.token, response } }));
}
factorForm.addEventListener('submit', (event) => {
  event.preventDefault();
  proveFactor().catch((error) => { showError(error); factorForm.elements.namedItem('factor').select(); });
});
passkeyButton?.addEventListener('click', async () => {
  problem.textContent = '';
  try {
    const { token, options } = await post('/v1/sign-in/passkey/options', {});
    await finishOrAskFactor(await post('/v1/sign-in/passkey/verify', { token, response: await askPasskey(options), ...chosen() }));
  } catch (error) {
    showError(error);
  }
});
if (passkeyButton !== null && window.PublicKeyCredential === undefined) passkeyButton.hidden = true;
// Adds the page to open after the sign-in, and the choice to stay signed in, to the link of each provider.
function completeLinks() {
  const { pathname, search } = new URL(nextAddress());
  for (const link of document.querySelectorAll('a.provider')) link.search = new URLSearchParams({ next: pathname + search, ...chosen() });
}
completeLinks();
document.getElementById('stay')?.addEventListener('change', completeLinks);
const failed = query.get('failed');
if (failed !== null) problem.textContent = REFUSALS[failed] ?? 'The sign-in failed. Start again.';
// The person has returned from a provider, which has proved the first factor.
const linkedStep = new URLSearchParams(location.hash.slice(1));
if (linkedStep.get('token') !== null) {
  askFactor({ token: linkedStep.get('token'), methods: (linkedStep.get('methods') ?? '').split(',').filter((one) => one in METHODS) });
  history.replaceState(null, '', location.pathname + location.search);
}
`;
