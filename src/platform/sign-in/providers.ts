/** Creates the identity providers of the installation. */
import type { SignInProviderSettings } from '../../domain/accounts/sign-in-provider';
import { createGithubProvider } from './github-provider';
import { createOpenIdProvider } from './openid-provider';
import type { ProviderOptions, SignInProvider } from './provider';

export function createProviders(
  settings: readonly SignInProviderSettings[],
  options: ProviderOptions,
): readonly SignInProvider[] {
  return settings.map((one) =>
    one.protocol === 'github'
      ? createGithubProvider(one, options)
      : createOpenIdProvider(one, options),
  );
}
