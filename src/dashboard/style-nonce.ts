/**
 * The value by which the content policy lets our style elements in. Libraries that make such elements
 * look for it under the name that bundlers gave it long ago.
 */
export function readStyleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
