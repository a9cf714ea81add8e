/** The signed-in user and their rights. Buttons that the user may not use are hidden. */
import { createContext, type ReactNode, useContext } from 'react';
import { SCOPES } from '../../../domain/accounts/roles';
import { PageLoading } from '../loading/page-loading';
import { Unread } from '../loading/unread';
import type { Session } from './api-types';
import { SESSION, useRead } from './queries';

export type Scope = Session['scopes'][number];

interface SignedInProps {
  readonly children: ReactNode;
  readonly fallback?: ReactNode;
}

const SessionContext = createContext<Session | null>(null);

/** Reads the session. If there is none, the login page appears. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { data = null } = useRead<Session>(SESSION);
  return <SessionContext value={data}>{children}</SessionContext>;
}

/** Shows its children once the session is read. Until then, shows the fallback, if there is one. */
export function SignedIn({ children, fallback = null }: SignedInProps) {
  return useContext(SessionContext) === null ? fallback : children;
}

/** Shown instead of a page until the session is read. */
export function SessionPending() {
  const { error } = useRead<Session>(SESSION);
  const isSignedOut = error?.status === 401;
  return (
    <Unread of={{ data: undefined, error: isSignedOut ? null : error }} shape={<PageLoading />} />
  );
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Sign in to see this.');
  return session;
}

/** True if the person may read data that needs this scope. */
export function useMayRead(scope: Scope): boolean {
  const needed = SCOPES.indexOf(scope);
  return useSession().scopes.some((given) => SCOPES.indexOf(given) >= needed);
}

/**
 * True if the person may make changes that need this scope. While the account is suspended, no one may make changes.
 */
export function useCan(scope: Scope): boolean {
  const isActive = useSession().account.suspended === null;
  return useMayRead(scope) && isActive;
}
