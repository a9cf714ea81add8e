/** Keeps the focus within the page for as long as the frame stands; each further page begins at its heading. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { keepFocus } from './keep-focus';

export function useKeptFocus(): void {
  const router = useRouter();
  useEffect(() => {
    const content = document.querySelector<HTMLElement>('#content');
    if (content === null) return undefined;
    const focus = keepFocus(content);
    const unsubscribe = router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
      // The first page leaves the focus to the browser.
      if (fromLocation !== undefined && pathChanged) focus.enterPage();
    });
    return () => {
      unsubscribe();
      focus.stop();
    };
  }, [router]);
}
