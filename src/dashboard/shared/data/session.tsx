/** Who is signed in, and what they may do. Buttons that would answer 403 are not shown. */
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

/** Reads who asks; without a session the login appears. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { data = null } = useRead<Session>(SESSION);
  return <SessionContext value={data}>{children}</SessionContext>;
}

/** Shows its children once it is known who asks; nothing or the fallback before. */
export function SignedIn({ children, fallback = null }: SignedInProps) {
  return useContext(SessionContext) === null ? fallback : children;
}

/** In place of a page while it is not known yet who asks. */
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

/** Whether the person may do what needs this scope; a scope includes those before it. */
export function useCan(scope: Scope): boolean {
  const needed = SCOPES.indexOf(scope);
  return useSession().scopes.some((given) => SCOPES.indexOf(given) >= needed);
}
