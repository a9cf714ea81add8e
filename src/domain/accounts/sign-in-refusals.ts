/** Why a sign-in through an identity provider failed. The sign-in page explains each reason. */
import type { ClaimsRefusal } from './provider-claims';

export type SignInRefusal =
  | ClaimsRefusal
  /** This browser has no sign-in in progress: none was begun, or the sign-in has expired or was finished. */
  | 'flow_lost'
  | 'declined'
  | 'provider_away'
  | 'provider_refused'
  /** The email address belongs to a person, who must first connect the provider in the settings. */
  | 'connect_first'
  /** The identity at the provider is already connected to another person. */
  | 'identity_taken'
  /** The provider's rules give the person no role, and the person has no invitation. */
  | 'not_invited'
  | 'limit_reached';

export const REFUSAL_TEXTS: Readonly<Record<SignInRefusal, string>> = {
  flow_lost: 'This sign-in has expired or was finished in another tab. Start again.',
  declined: 'You declined to sign in at the provider.',
  provider_away: 'The identity provider does not respond. Try again, or sign in in another way.',
  provider_refused: 'The response of the identity provider was not valid. Start again.',
  claims_incomplete:
    'The identity provider did not share your email address. Ask your administrator.',
  domain_not_allowed: 'Your email address belongs to a domain that may not sign in here.',
  email_unverified: 'The identity provider has not verified your email address.',
  role_missing: 'The identity provider gives you no role here. Ask your administrator.',
  connect_first:
    'Someone with this email address is here already. If it is you, sign in as before and connect the provider under Settings, Second factor and passkeys.',
  identity_taken: 'This identity is connected with another person.',
  not_invited: 'You have not been invited yet. Ask an owner or admin for an invitation.',
  limit_reached: 'The account has no place for another member. Ask an owner.',
};
