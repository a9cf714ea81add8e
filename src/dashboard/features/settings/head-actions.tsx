/**
 * Puts the main button of a section next to the page's title. A portal is needed, because the title is outside of the
 * section.
 */
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

/** The element next to the title; null until it is mounted. */
export const HeadActionsSlot = createContext<HTMLElement | null>(null);

export function HeadActions({ children }: { readonly children: ReactNode }) {
  const slot = useContext(HeadActionsSlot);
  return slot === null ? null : createPortal(children, slot);
}
