import type { StatusPageTheme } from '../../contracts/status-pages';
import { FONT_FAMILY } from './shipped-font';

const LIGHT = `--bg:#f6f8f9;--card:#fff;--fg:#1f2328;--muted:#57606a;--line:#d5dbe1;--up:#116329;
--degraded:#7d4e00;--down:#a40e26;--maintenance:#0550ae;--unknown:#57606a;--none:#c3cad2;
--bar:#2da44e;--partial:#e16f24;--shade:#0001`;
const DARK = `--bg:#0d1117;--card:#161b22;--fg:#e6edf3;--muted:#9aa4af;--line:#30363d;--up:#56d364;
--degraded:#e3b341;--down:#ff7b72;--maintenance:#79c0ff;--unknown:#9aa4af;--none:#3d444d;
--bar:#3fb950;--partial:#f0883e;--shade:#0005`;

/** The colours of each theme. `:host` is for a page that is shown inside another page. */
const THEMES: Readonly<Record<StatusPageTheme, string>> = {
  auto: `:root,:host{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root,:host{${DARK}}}`,
  light: `:root,:host{color-scheme:light;${LIGHT}}`,
  dark: `:root,:host{color-scheme:dark;${DARK}}`,
};

const STYLE = `
*{box-sizing:border-box}
body{margin:0}
.page{min-height:100vh;background:var(--bg);color:var(--fg);font:16px/1.5 ${FONT_FAMILY};
font-variant-numeric:tabular-nums;overflow-wrap:anywhere;border-top:5px solid var(--accent,var(--line))}
main,footer{max-width:52rem;margin:0 auto;padding:1rem}
footer{color:var(--muted);font-size:.875rem}
a{color:inherit}
:focus-visible{outline:2px solid var(--fg);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;z-index:4;background:var(--card);padding:.5rem 1rem}
.logo{display:block;max-width:min(100%,14rem);max-height:4rem;margin:.75rem 0}
.draft{margin:0 0 1rem;padding:.5rem .75rem;border:1px dashed var(--degraded);border-radius:8px;
color:var(--degraded)}
time{white-space:nowrap}
.page{text-wrap:pretty}
h1{font-size:1.75rem;line-height:1.25;margin:1rem 0 .25rem}
.top{display:flex;gap:1rem;align-items:flex-start;justify-content:space-between}
.subscribe{flex:none;margin-top:.95rem;font-size:.9375rem}
.subscribe summary{width:max-content;margin-left:auto;padding:.4rem .9rem;border:1px solid var(--muted);border-radius:8px;background:var(--card);font-weight:600}
.subscribe ul{margin-top:.25rem;white-space:nowrap}
.subscribe li{padding:0}
.subscribe a{display:block;padding:.5rem 0;text-decoration:none}
.subscribe a:hover{text-decoration:underline}
h2{font-size:1.125rem;margin:2rem 0 .5rem}
summary{cursor:pointer}
summary h2{display:inline-block;margin-right:.75rem}
details[open]>summary .state{display:none}
summary .muted{float:right;margin-top:2.2rem;font-size:.875rem}
h3{font-size:1rem;font-weight:600;margin:0;flex:1 1 8rem;min-width:0}
ul{list-style:none;margin:0;padding:0}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.25rem 1rem;
box-shadow:0 1px 2px var(--shade)}
li{padding:.75rem 0;border-top:1px solid var(--line)}
li:first-child{border-top:0}
.items li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
.about,.muted{color:var(--muted);margin:0}
.about{white-space:pre-line}
.overall{display:flex;gap:.6rem;align-items:center;margin:1rem 0 0;font-size:1.25rem;font-weight:600;
background:color-mix(in srgb,currentColor 7%,var(--card));border:1px solid var(--line);border-left:6px solid;border-radius:10px;
padding:.85rem 1rem}
.overall small{display:block;color:var(--fg);font-size:1rem;font-weight:400}
.state,strong{font-weight:600}
.days{position:relative;flex:1 0 100%;min-width:0;margin:0;padding:0;border:0}
.days legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.strip{display:flex;align-items:flex-end;gap:1px;height:34px}
.strip input,.key{appearance:none;margin:0;border-radius:2px;background:var(--none)}
.strip input{flex:1 1 0;min-width:0;height:24px;cursor:pointer}
.strip input.partial{height:29px}
.strip input.down{height:34px}
.strip input.unknown{height:10px}
.key{display:inline-block;width:8px;height:12px;vertical-align:-2px;margin-right:.35rem}
.key.partial{height:15px}
.key.down{height:18px}
.key.unknown{height:6px}
input.up,.key.up{background:var(--bar)}
input.degraded,.key.degraded{background:repeating-linear-gradient(0deg,var(--degraded) 0 4px,transparent 4px 6px)}
input.partial,.key.partial{background:var(--partial)}
input.down,.key.down{background:var(--down)}
input.maintenance,.key.maintenance{background:repeating-linear-gradient(45deg,var(--maintenance) 0 3px,transparent 3px 5px)}
.strip input:hover,.strip input:checked{box-shadow:0 0 0 1px var(--fg)}
.strip input::after{content:attr(aria-label);display:none;position:absolute;z-index:1;top:36px;left:0;
right:0;text-align:center;font-size:.8125rem;line-height:1.5;background:var(--card);color:var(--fg)}
.strip input:checked::after{display:block}
.strip:hover input:checked::after{z-index:0}
.strip input:hover::after{display:block;z-index:2}
.axis{display:flex;justify-content:space-between;gap:.5rem;margin:2px 0 0;font-size:.8125rem;
color:var(--muted);white-space:nowrap}
.axis span{overflow:hidden;text-overflow:ellipsis}
.legend{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.25rem;margin:.75rem 0 0;font-size:.8125rem;
color:var(--muted)}
.post{margin:.75rem 0;padding:.75rem 1rem;display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
.post.degraded,.post.maintenance{border-left:6px solid}
.post>p,.update{flex:1 0 100%;min-width:0;margin:0;color:var(--fg)}
.update{border-top:1px solid var(--line);padding-top:.5rem}
.update p{margin:.25rem 0}
.update .muted,.post>.muted{color:var(--muted)}
.text ul,.text ol{margin:.25rem 0;padding-left:1.5rem}
.text ul{list-style:disc}
.text li{padding:0;border:0}
.text h4,.text h5,.text h6{font-size:1rem;margin:.5rem 0 .25rem}
.text blockquote{margin:.25rem 0;padding-left:.75rem;border-left:3px solid var(--line)}
.text pre{overflow:auto;margin:.25rem 0}
.outages li{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between}
.reading{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.5rem 0 0;font-size:.875rem}
.response{flex:1 0 100%;min-width:0;color:var(--muted);font-size:.8125rem}
.response summary{width:max-content;max-width:100%;padding:.15rem 0}
.response p{margin:0}
.plot{display:flex;gap:.5rem;margin-top:.25rem}
.plot p{width:4rem;display:flex;flex-direction:column;justify-content:space-between;line-height:1;white-space:nowrap}
.response svg{display:block;flex:1 1 0;min-width:0;height:40px;border:solid var(--line);
border-width:1px 0;fill:none;stroke:var(--maintenance);stroke-width:2}
.response path{vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}
.response .axis{padding-right:4.5rem}
.lock{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:1rem 0}
.lock input,.lock button{font:inherit;color:inherit;padding:.4rem .6rem;border:1px solid var(--muted);
border-radius:8px;background:var(--card)}
.months{display:flex;justify-content:space-between;gap:1rem}
.up{color:var(--up)}
.degraded{color:var(--degraded)}
.down{color:var(--down)}
.maintenance{color:var(--maintenance)}
.unknown{color:var(--unknown)}
.legend span{color:var(--muted)}
.small{min-height:0;font-size:.875rem}
.small main{padding:.75rem}
.small h1{font-size:1rem;margin:0}
.small .overall{font-size:.9375rem;margin:.4rem 0;padding:.4rem .75rem}
.small li{display:flex;gap:1rem;justify-content:space-between;padding:.3rem 0}
`;

/**
 * Returns the style of a page. The accent is safe to insert: the schema guarantees that it is `#` and six hex digits.
 */
export function renderStatusPageStyle(theme: StatusPageTheme, accent: string | null): string {
  const own = accent === null ? '' : `:root,:host{--accent:${accent}}`;
  return `\n${THEMES[theme]}\n${own}${STYLE}`;
}
