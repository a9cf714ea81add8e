/** Opens the browser's dialogs for passkeys. The library for them is loaded on first use. */
import { request } from '../../../shared/data/api';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { FACTORS } from './paths';

const loadLibrary = loadWhenReached(() => import('@simplewebauthn/browser'));

interface Challenge<Options> {
  readonly token: string;
  readonly options: Options;
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type GetOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];
type CreateOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];

/**
 * Lets the person use a passkey, and returns the token and response to send to the service. Rejects if the person
 * closes the dialog.
 */
export async function getPasskey(): Promise<object> {
  const { startAuthentication } = await loadLibrary();
  const path = '/v1/sign-in/passkey/options';
  const { token, options } = await request<Challenge<GetOptions>>('POST', path, { body: {} });
  return { token, response: await startAuthentication({ optionsJSON: options }) };
}

/**
 * Lets the person create a passkey, and returns the token and response to send to the service. Rejects if the person
 * closes the dialog.
 */
export async function createPasskey(): Promise<object> {
  const { startRegistration } = await loadLibrary();
  const path = `${FACTORS}/passkeys/options`;
  const { token, options } = await request<Challenge<CreateOptions>>('POST', path, { body: {} });
  return { token, response: await startRegistration({ optionsJSON: options }) };
}
