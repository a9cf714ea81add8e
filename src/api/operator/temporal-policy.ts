/**
 * The content security policy of the Temporal UI. Its pages may reach their own paths and the codec, but no other part
 * of the API.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { TEMPORAL_UI_PATH } from '../../services/operations/workflow-url';

export const CODEC_FOLDER = '/internal/codec';

const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:.]+\](:\d{1,5})?$/;

interface Visit {
  readonly protocol: string;
  readonly headers: IncomingHttpHeaders;
  readonly publicUrl: string;
}

/**
 * Returns a Content-Security-Policy for one request. The UI needs `allow-same-origin` for cookies and storage, so the
 * policy limits the UI in other ways: the UI may request and frame only its own paths, and may not open windows.
 */
export function buildTemporalUiPolicy({ protocol, headers, publicUrl }: Visit): string {
  const { host = '' } = headers;
  const origins = new Set([new URL(publicUrl).origin]);
  if (HOST.test(host)) origins.add(`${protocol}://${host}`);
  const under = (folder: string) => [...origins].map((origin) => `${origin}${folder}/`);
  const ui = under(TEMPORAL_UI_PATH).join(' ');
  const codec = under(CODEC_FOLDER).join(' ');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' ${ui}`,
    `worker-src blob: ${ui}`,
    `style-src 'unsafe-inline' ${ui}`,
    `img-src data: blob: ${ui}`,
    `font-src data: ${ui}`,
    `manifest-src ${ui}`,
    `connect-src ${ui} ${codec}`,
    `form-action ${ui}`,
    `base-uri ${ui}`,
    "frame-src 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-scripts allow-same-origin allow-forms allow-downloads allow-modals',
  ].join('; ');
}
