/** Puts the main button of a section on the line of the page's title, which the page owns. */
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The element next to the title; null until it is mounted. */
export const HeadActionsSlot = createContext<HTMLElement | null>(null);

export function HeadActions({ children }: { readonly children: ReactNode }) {
  const slot = useContext(HeadActionsSlot);
  return slot === null ? null : createPortal(children, slot);
}
