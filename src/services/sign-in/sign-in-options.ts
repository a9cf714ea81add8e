/** Lists the ways to sign in that the sign-in page offers. */
import type { SignInOptions } from '../../schemas/responses/sign-in';
import type { Dependencies } from '../ports/dependencies';

export function listSignInOptions({
  signIn: { passwords, providers, passkeys },
}: Pick<Dependencies, 'signIn'>): SignInOptions {
  return {
    passwords,
    providers: providers.map(({ settings: { id, name } }) => ({
      id,
      name,
      startUrl: `/v1/sign-in/oidc/${id}/start`,
    })),
    passkeys: passkeys.isAvailable,
  };
}
