/** The product's logo and name, linked to the overview. */
import { Link } from '@tanstack/react-router';
import classes from './shell.module.css';

export function Logo() {
  return (
    <Link to="/" className={classes['logo'] ?? ''}>
      <img src="/icon-ok.svg" alt="" width={26} height={26} />
      Keepwatch
    </Link>
  );
}
