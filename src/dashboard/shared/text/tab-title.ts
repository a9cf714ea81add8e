/** Sets the title and icon of the browser's tab: the page, and how many checks are down. */
import { useEffect } from 'react';

let page = '';
let down = 0;

function show(): void {
  const count = down === 0 ? '' : `(${down}) `;
  document.title = `${count}${page === '' ? '' : `${page} · `}Keepwatch`;
  const icon = document.querySelector<HTMLLinkElement>('#icon');
  const wanted = down === 0 ? '/icon-ok.svg' : '/icon-down.svg';
  if (icon !== null && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

export function useTabTitle(title: string): void {
  useEffect(() => {
    page = title;
    show();
  }, [title]);
}

/** Shows in the title how many monitors and scenarios are down. */
export function showDownCount(count: number): void {
  down = count;
  show();
}
