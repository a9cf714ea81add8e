/** The shared parts of the sections for objects with a key: profiles, environments, hours and alert policies. */
import { followName } from '../../../shared/text/slug';
import type { SectionText } from '../section-text';

export interface Keyed {
  readonly id: string;
  readonly version: number;
  readonly key: string;
  readonly name: string;
}

/** The fields that every object with a key has in its form. */
export interface KeyedDraft {
  readonly key: string;
  readonly name: string;
}

/** Changes the name. The key of a new object follows its name until the user types a key. */
export function nameDraft({ key, name: before }: KeyedDraft, name: string): KeyedDraft {
  return { name, key: followName(key, before, name) };
}

export interface KeyedKind {
  /** API path of the list. An object has the path of the list followed by its id. */
  readonly path: string;
  /** Paths whose data changes with an object of this kind. */
  readonly touches: readonly string[];
  readonly text: KeyedText;
}

export interface KeyedText extends SectionText {
  /** The title of the form of an existing object. */
  readonly edit: string;
  readonly saved: string;
  readonly deleted: string;
  /** The text that describes what a deletion removes. Shown in the confirmation. */
  readonly loss: string;
}

/** Props of the form for an object with a key. */
export interface Edited<Item> {
  /** The object that is changed. null if a new object is created. */
  readonly item: Item | null;
  readonly onClose: () => void;
}
