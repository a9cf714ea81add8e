/** The style of public status pages, light and dark, as one text whose hash the policy allows. */
export const STATUS_PAGE_STYLE = `
:root{--bg:#fff;--fg:#1f2328;--muted:#57606a;--line:#d0d7de;--up:#116329;--degraded:#7d4e00;
--down:#a40e26;--maintenance:#0550ae;--unknown:#57606a;--none:#afb8c1}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--muted:#9aa4af;--line:#30363d;
--up:#56d364;--degraded:#e3b341;--down:#ff7b72;--maintenance:#79c0ff;--unknown:#9aa4af;--none:#484f58}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;
overflow-wrap:anywhere}
main,footer{max-width:46rem;margin:0 auto;padding:1rem}
footer{color:var(--muted);font-size:.875rem}
h1{font-size:1.75rem;margin:1rem 0 .25rem}
h2{font-size:1.125rem;margin:2rem 0 .5rem}
h3{font-size:1rem;font-weight:600;margin:0;flex:1 1 12rem;min-width:0}
ul{list-style:none;margin:0;padding:0}
li{padding:.75rem 0;border-top:1px solid var(--line)}
.items li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline}
.about,.share{color:var(--muted);margin:0}
.about{white-space:pre-line}
.share{font-size:.875rem;flex:1 0 100%}
.overall{font-size:1.25rem;font-weight:600;border:1px solid var(--line);border-left:6px solid;
border-radius:6px;padding:.75rem 1rem}
.strip{flex:1 0 100%;width:100%;height:28px}
.overall,.state,strong{font-weight:600}
.up{color:var(--up);fill:var(--up)}
.degraded{color:var(--degraded);fill:var(--degraded)}
.down{color:var(--down);fill:var(--down)}
.maintenance{color:var(--maintenance);fill:var(--maintenance)}
.unknown{color:var(--unknown);fill:var(--none)}
`;
