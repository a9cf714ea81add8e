/**
 * The nonce with which the content security policy accepts our style elements. Libraries that create style elements
 * read it from webpack's global `__webpack_nonce__`.
 */
export function readStyleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
