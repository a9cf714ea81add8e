/**
 * Moves the focus when the focused element disappears. A button that has moved keeps the focus. If a row was removed,
 * the focus moves to the next row. After a page change, the focus moves to the heading.
 */
import { findReplacement } from '../shared/dialog/focus';

/** CSS selector of focusable elements. Busy buttons are included, because they can get the focus when they are done. */
const FOCUSABLE =
  'a[href], button:not(:disabled), button[data-loading], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';
/** CSS selector of menus and lists, which return the focus themselves. */
const MENU = '[role=menu], [role=listbox]';
const DIALOG = '[role=dialog][aria-modal=true]';

interface Step {
  readonly parent: Element;
  /** Index of the child that contains the element or is the element. */
  readonly index: number;
}

interface FocusPosition {
  readonly element: HTMLElement;
  /** Ancestors of the element, innermost first. */
  readonly way: readonly Step[];
}

export interface KeptFocus {
  /** Call this after a page change. The heading gets the focus as soon as it is in the document. */
  readonly enterPage: () => void;
  readonly stop: () => void;
}

export function keepFocus(content: HTMLElement): KeptFocus {
  let position: FocusPosition | null = null;
  let isHeadingDue = false;

  function look(): void {
    if (isHeadingDue) enterHeading();
    else if (position !== null && isNowhere()) goOnFrom(position);
  }

  function enterHeading(): void {
    const heading = content.querySelector<HTMLElement>('h1');
    if (heading === null || document.querySelector(DIALOG) !== null) return;
    isHeadingDue = false;
    if (!isNowhere() && document.activeElement?.closest('nav') == null) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  function goOnFrom({ element, way }: FocusPosition): void {
    if (element.isConnected) {
      if (!element.matches(':disabled')) give(element);
      return;
    }
    const next = findSuccessor({ element, way }, content);
    if (next === 'heading') {
      isHeadingDue = true;
      enterHeading();
    } else if (next !== null) {
      position = { element: next, way: findWay(next) };
      if (!next.matches(':disabled')) give(next);
    }
  }

  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    position = target.closest(MENU) === null ? { element: target, way: findWay(target) } : null;
    if (content.contains(target)) isHeadingDue = false;
  };
  // A click on empty space removes the focus on purpose, so the focus must not be restored.
  const onBlur = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      if (position === null || position.element !== target || !isNowhere()) return;
      if (position.element.isConnected && !position.element.matches(':disabled')) position = null;
    });
  return {
    enterPage: () => {
      isHeadingDue = true;
      enterHeading();
    },
    stop: listen(look, onFocus, onBlur),
  };
}

type FocusListener = (event: FocusEvent) => void;

/** Calls `look` after each change of the document. Returns a function that stops listening. */
function listen(look: () => void, onFocus: FocusListener, onBlur: FocusListener): () => void {
  const observer = new MutationObserver(look);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onBlur);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onBlur);
  };
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function findWay(element: Element): readonly Step[] {
  const way: Step[] = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement;
    // Stops at a portal, such as the container of a dialog, because elements outside of it are not
    // neighbours.
    if (parent === document.body || parent.matches('[data-portal]')) break;
    way.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return way;
}

/**
 * Finds the element that gets the focus next. `heading` means that no nearby element is left. null means that the
 * removed element was outside of the content.
 */
function findSuccessor(
  { element, way }: FocusPosition,
  content: Element,
): HTMLElement | 'heading' | null {
  const moved = way.some(({ parent }) => parent === content) ? findReplacement(element) : null;
  if (moved !== null) return moved;
  for (const step of way.filter(({ parent }) => parent.isConnected)) {
    if (step.parent === content) return 'heading';
    const next = neighbourAt(step);
    if (next !== null) return next;
  }
  return null;
}

/**
 * Returns the focusable element at this index. If there is none, returns the next focusable element, or else the
 * previous one.
 */
function neighbourAt({ parent, index }: Step): HTMLElement | null {
  const children = [...parent.children];
  for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
    const found = child.matches(FOCUSABLE) ? child : child.querySelector(FOCUSABLE);
    if (found instanceof HTMLElement) return found;
  }
  return null;
}

function give(element: HTMLElement): void {
  const dialog = document.querySelector(DIALOG);
  if (dialog === null || dialog.contains(element)) element.focus({ preventScroll: true });
}
