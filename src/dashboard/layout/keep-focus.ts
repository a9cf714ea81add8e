/**
 * Where the keyboard goes on when what has the focus is taken away: a button that is busy gets it back, one that moved
 * keeps it, a row that is gone hands it to its neighbour, and a page that follows another begins at its heading. It
 * moves no focus that something else has taken.
 */
import { namesakeOf } from '../shared/dialog/focus';

/** A busy button takes the focus once it is done. */
const FOCUSABLE =
  'a[href], button:not(:disabled), button[data-loading], input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';
/** They give the focus back by themselves. */
const MENU = '[role=menu], [role=listbox]';
const DIALOG = '[role=dialog][aria-modal=true]';

interface Step {
  readonly parent: Element;
  /** Of the child that leads to the element. */
  readonly index: number;
}

interface Place {
  readonly element: HTMLElement;
  /** From the element outward. */
  readonly way: readonly Step[];
}

export interface KeptFocus {
  /** Another page is there: its heading gets the focus as soon as it stands. */
  readonly enterPage: () => void;
  readonly stop: () => void;
}

export function keepFocus(content: HTMLElement): KeptFocus {
  let place: Place | null = null;
  let isHeadingDue = false;

  function look(): void {
    if (isHeadingDue) enterHeading();
    else if (place !== null && isNowhere()) goOnFrom(place);
  }

  function enterHeading(): void {
    const heading = content.querySelector<HTMLElement>('h1');
    if (heading === null || document.querySelector(DIALOG) !== null) return;
    isHeadingDue = false;
    if (!isNowhere() && document.activeElement?.closest('nav') == null) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  function goOnFrom({ element, way }: Place): void {
    if (element.isConnected) {
      if (!element.matches(':disabled')) give(element);
      return;
    }
    const next = successorOf({ element, way }, content);
    if (next === 'heading') {
      isHeadingDue = true;
      enterHeading();
    } else if (next !== null) {
      place = { element: next, way: wayOf(next) };
      if (!next.matches(':disabled')) give(next);
    }
  }

  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    place = target.closest(MENU) === null ? { element: target, way: wayOf(target) } : null;
    if (content.contains(target)) isHeadingDue = false;
  };
  // Who clicks beside everything gives the focus up.
  const onBlur = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      if (place === null || place.element !== target || !isNowhere()) return;
      if (place.element.isConnected && !place.element.matches(':disabled')) place = null;
    });
  return {
    enterPage: () => {
      isHeadingDue = true;
      enterHeading();
    },
    stop: listen(look, onFocus, onBlur),
  };
}

type Heard = (event: FocusEvent) => void;

/** `look` after each change of the document. Gives the way to end it. */
function listen(look: () => void, onFocus: Heard, onBlur: Heard): () => void {
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

function wayOf(element: Element): readonly Step[] {
  const way: Step[] = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement;
    // What is beyond, like the box of a dialog, is no neighbourhood.
    if (parent === document.body || parent.matches('[data-portal]')) break;
    way.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return way;
}

/** Of an element that is gone; the heading when nothing is left of where it stood, and null outside of the content. */
function successorOf({ element, way }: Place, content: Element): HTMLElement | 'heading' | null {
  const moved = way.some(({ parent }) => parent === content) ? namesakeOf(element) : null;
  if (moved !== null) return moved;
  for (const step of way.filter(({ parent }) => parent.isConnected)) {
    if (step.parent === content) return 'heading';
    const next = neighbourAt(step);
    if (next !== null) return next;
  }
  return null;
}

/** What stands at the place now, else what follows it, else what comes before it. */
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
