/** A long text in a box that scrolls, also by keyboard. */
import classes from './results.module.css';

interface BodyTextProps {
  readonly text: string;
  /** The name of the text, like "Body". */
  readonly label: string;
}

export function BodyText({ text, label }: BodyTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element.
    <section className={classes['body']} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
