/**
 * The nonce that makes the content security policy accept our style elements. Libraries that create such elements read
 * the nonce from webpack's global `__webpack_nonce__`.
 */
export function readStyleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
