/** Keeps the focus within the page. After a page change, the focus moves to the heading. */
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
      // On the first page the browser decides where the focus is.
      if (fromLocation !== undefined && pathChanged) focus.enterPage();
    });
    return () => {
      unsubscribe();
      focus.stop();
    };
  }, [router]);
}
