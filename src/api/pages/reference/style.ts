/** The style of all pages below /docs: the dashboard's colours and font, light and dark. */
import { FONT_FAMILY, renderFontFace } from '../shipped-font';
import { LANGUAGES } from './samples';

const LIGHT = `color-scheme:light;--ground:#f6f8f9;--surface:#fff;--line:#ced4da;--text:#1a1b1e;--dimmed:#555b61;
--link:#0b6374;--chosen:#e3f4f7;--get:#0b6374;--post:#176b35;--change:#8a4b00;--delete:#b42318`;
const DARK = `color-scheme:dark;--ground:#191c1f;--surface:#22262a;--line:#4a4f55;--text:#e3e5e8;--dimmed:#a9afb5;
--link:#66d1df;--chosen:#1d3a41;--get:#66d1df;--post:#7ad992;--change:#ffbf69;--delete:#ff9c94`;

const OTHER_SAMPLES = LANGUAGES.map(
  ({ language }) => `[data-language=${language}] [data-sample]:not([data-sample=${language}])`,
).join(',');

export function renderReferenceStyle(fontUrl: string | null): string {
  return `${renderFontFace(fontUrl)}
:root{${LIGHT};scroll-padding-top:1rem}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}
:root[data-theme=dark]{${DARK}}
${STYLE}
${OTHER_SAMPLES}{display:none}
`;
}

const STYLE = `*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 ${FONT_FAMILY};
font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
a{color:var(--link)}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
h1{font-size:1.75rem;font-weight:650;margin:0 0 .5rem}
h2{font-size:1.25rem;font-weight:650;margin:2.5rem 0 .5rem}
h3{font-size:1rem;font-weight:500;margin:0;display:inline}
h4{font-size:.9375rem;margin:1.25rem 0 .25rem}
p{margin:.25rem 0 .75rem}
select,input,button{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--line);
border-radius:8px;padding:.35rem .6rem}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main:focus{outline:none}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--surface);padding:.5rem 1rem}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.75rem 1rem;
background:var(--surface);border-bottom:1px solid var(--line)}
header nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;flex:1 1 15rem}
header label{margin-left:auto}
@media (max-width:40rem){header nav{order:1;flex-basis:100%}}
.brand{display:flex;gap:.6rem;align-items:center;font-weight:650;color:inherit;text-decoration:none}
[aria-current]{color:inherit;font-weight:650;text-decoration:none}
.page{padding:1rem;max-width:110rem}
.filter{display:block;max-width:32rem;margin-top:1rem;font-weight:500}
.filter input{display:block;width:100%;margin-top:.25rem}
#found{min-height:1.55em;margin:.25rem 0 0;color:var(--dimmed)}
section{scroll-margin-top:1rem}
#found+section h2{margin-top:1rem}
details{background:var(--surface);border:1px solid var(--line);border-radius:8px;margin:.4rem 0;padding:0 .9rem}
summary{padding:.55rem 0;cursor:pointer}
summary h3>*{margin-right:.5rem}
.method{display:inline-block;min-width:4.2rem;font-size:.8125rem;font-weight:650}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--change)}.delete{color:var(--delete)}
.columns{padding-bottom:.75rem}
dl{margin:0 0 .5rem}
dl>div{padding:.4rem 0;border-top:1px solid var(--line)}
dl>div:first-child{border-top:0}
dl>div:target{background:var(--chosen)}
dt a{text-decoration:none}
dt a:hover{text-decoration:underline}
dd{margin:0}
dd dl,dd p{margin:.25rem 0 0;padding-left:.75rem;border-left:2px solid var(--line)}
.type{color:var(--dimmed);font-size:.875rem}
pre{margin:.5rem 0 0;padding:.75rem;white-space:pre-wrap;background:var(--ground);border:1px solid var(--line);border-radius:8px}
pre code{font-size:inherit}
.samples>div{display:flex;flex-wrap:wrap;gap:.35rem}
.samples [data-copy]{margin-left:auto}
[aria-pressed=true]{background:var(--chosen);border-color:var(--link);font-weight:600}
main>section>dl{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.2rem .9rem}
@media (min-width:62rem){
.page{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2rem;padding:1.5rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:2rem}
.samples{grid-column:2;grid-row:1;align-self:start;position:sticky;top:1rem}
main>section>dl>div{display:grid;grid-template-columns:17rem minmax(0,1fr);gap:1rem}
}`;
