/** Opens the disclosures of a page while it is printed, so that nothing is missing on paper. */
import { useEffect } from 'react';

export function useOpenInPrint(): void {
  useEffect(() => {
    let opened: readonly HTMLDetailsElement[] = [];
    const open = (): void => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
      for (const each of opened) each.open = true;
    };
    const close = (): void => {
      for (const each of opened) each.open = false;
      opened = [];
    };
    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', close);
    return () => {
      window.removeEventListener('beforeprint', open);
      window.removeEventListener('afterprint', close);
    };
  }, []);
}
