/** The style of the entry pages. */
import { FONT_FAMILY } from './shipped-font';

export const ENTRY_STYLE = `:root {
  color-scheme: light dark; font-family: ${FONT_FAMILY}; font-variant-numeric: tabular-nums;
  --ground: #f6f8f9; --surface: #fff; --line: #ced4da; --text: #1a1b1e; --bad: #b42318; --link: #0b6374;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #191c1f; --surface: #22262a; --line: #4a4f55; --text: #e3e5e8; --bad: #ff9c94; --link: #66d1df; }
}
body { margin: 0; background: var(--ground); color: var(--text); }
main {
  box-sizing: border-box; max-width: 28rem; width: calc(100% - 2rem); margin: 10vh auto; padding: 1.75rem 1.75rem .75rem;
  background: var(--surface);
  border: 1px solid var(--line); border-radius: 12px;
}
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.5rem; font-size: 1.15rem; font-weight: 650; }
h1 { margin: 0 0 1.25rem; font-size: 1.4rem; }
label { display: block; margin: 0 0 1rem; font-weight: 500; }
label[hidden] { display: none; }
input {
  display: block; width: 100%; box-sizing: border-box; margin-top: .3rem; padding: .55rem .7rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px;
}
.show { display: flex; align-items: center; gap: .5rem; min-height: 24px; margin-top: -.4rem; font-weight: 400; }
.show input { width: 1rem; height: 1rem; margin: 0; accent-color: #0b7285; }
small { display: block; font-weight: 400; opacity: .75; }
.stay { margin-bottom: 0; }
.stay + small { margin: 0 0 1rem 1.5rem; text-align: left; }
button, .go {
  display: inline-block; padding: .6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer; color: #fff;
  background: #0b7285; border: 0; border-radius: 8px; text-decoration: none;
}
form > button:not([type]) { width: 100%; }
button.plain { color: inherit; background: transparent; border: 1px solid var(--line); }
h1, .cause, .note { overflow-wrap: anywhere; }
.note { white-space: pre-line; }
.cause { font-weight: 600; white-space: pre-line; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; margin-bottom: 1.25rem; }
.actions a { padding: .3rem 0; }
a { color: var(--link); }
a.go { color: #fff; }
.ways { display: grid; gap: .75rem; margin: 1.25rem 0 0; text-align: center; }
.ways:empty { margin: 0; }
.ways[hidden] { display: none; }
a.go.plain { color: inherit; background: transparent; border: 1px solid var(--line); }
input[aria-invalid=true] { border-color: var(--bad); }
h1:focus { outline: none; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid #22a5b8; outline-offset: 2px; }
#problem { color: var(--bad); }
#problem:empty { margin: 0; }
output { display: block; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; font-family: monospace; }
`;
