/** The style of documents, below the style of the reference. */

export const DOCUMENT_STYLE = `
.search{margin-bottom:1rem}
:root:not([data-theme]) .search{display:none}
.search .filter{margin-top:0}
#doc-found:empty{display:none}
#doc-results{margin:.5rem 0 0;padding:.25rem .9rem;list-style:none;max-width:46rem;background:var(--surface);
border:1px solid var(--line);border-radius:8px}
#doc-results li{padding:.35rem 0;border-top:1px solid var(--line)}
#doc-results li:first-child{border-top:0}
#doc-results p{margin:.15rem 0 0;font-size:.875rem;color:var(--dimmed)}
#doc-results mark{background:none;color:var(--text);font-weight:600}
small{color:var(--dimmed);font-size:.875rem}
.side,.contents{margin:0 0 1rem}
.side summary,.contents summary{font-weight:600}
.side nav,.contents nav{padding-bottom:.75rem}
.side p{margin:.9rem 0 .2rem;font-size:.875rem;font-weight:600;color:var(--dimmed)}
.side nav>p:first-child{margin-top:0}
.side ul,.contents ul{margin:0;padding:0;list-style:none}
.side ul ul{padding-left:.9rem;font-size:.9375rem}
.side a,.contents a{display:block;padding:.2rem 0;text-decoration:none}
.side a:hover,.contents a:hover{text-decoration:underline}
.contents .level-3{padding-left:.9rem;font-size:.9375rem}
article{max-width:46rem}
article :is(h2,h3,h4){display:block;font-weight:650;line-height:1.3}
article h2{margin:2.5rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
article>h2:first-child{margin-top:1.5rem}
article h3{font-size:1.0625rem;margin:1.75rem 0 .5rem}
article h4{font-size:1rem;margin:1.25rem 0 .5rem}
article p,article ul,article ol,article .code,article .scroll,article blockquote{margin:0 0 1rem}
article p:empty{display:none}
article li{margin:.3rem 0}
article li>p,article li>ul,article li>ol{margin:.3rem 0}
article :is(ul,ol){padding-left:1.4rem}
article :not(pre)>code{padding:.1em .3em;background:var(--surface);border:1px solid var(--line);border-radius:4px}
article a>code{color:inherit}
article pre{white-space:pre;overflow-x:auto;overflow-wrap:normal;background:var(--surface)}
article img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
article blockquote{padding-left:1rem;border-left:3px solid var(--line);color:var(--dimmed)}
.code{display:flex;gap:.5rem;align-items:flex-start}
.code pre{flex:1;min-width:0}
.code [data-copy]{padding:.1rem .5rem;font-size:.8125rem}
:root:not([data-theme]) [data-copy]{display:none}
/* A shadow shows that the table continues beyond the edge. The end of the table covers the shadow. */
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background-color:var(--surface);
background-image:linear-gradient(to right,var(--surface),var(--surface)),linear-gradient(to right,var(--surface),var(--surface)),
linear-gradient(to right,var(--line),transparent),linear-gradient(to left,var(--line),transparent);
background-position:left,right,left,right;background-repeat:no-repeat;background-size:1.25rem 100%,1.25rem 100%,1rem 100%,1rem 100%;
background-attachment:local,local,scroll,scroll}
table{border-collapse:collapse;min-width:100%;font-size:.9375rem}
th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;min-width:5.5rem;border-top:1px solid var(--line)}
th{border-top:0;font-weight:600;overflow-wrap:normal}
td>code{overflow-wrap:break-word}
:is(th,td).right{text-align:right}
:is(th,td).center{text-align:center}
article .code>pre{margin:0}
@media screen and (max-width:40rem){
article :is(table,tbody,tr,td){display:block}
article thead{display:none}
.code{flex-direction:column;gap:.4rem}
.code pre{align-self:stretch}
article td{border-top:0;padding:.2rem .75rem}
article tr{padding:.4rem 0;border-top:1px solid var(--line)}
article tr:first-child{border-top:0}
article :is(th,td).right{text-align:left}
article td:empty{display:none}
article td[data-label]:not([data-label=""])::before{content:attr(data-label);display:block;font-size:.8125rem;color:var(--dimmed)}
}
@media (min-width:62rem){
.side{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto;
background:none;border:0;padding:0;margin:0}
.side summary{display:none}
}
@media (min-width:75rem){
.document:has(.contents){display:grid;grid-template-columns:minmax(0,46rem) 14rem;gap:2.5rem}
.contents{grid-column:2;grid-row:1;position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto;
background:none;border:0;padding:0}
.contents a{font-size:.875rem}
article{grid-column:1;grid-row:1;min-width:0}
article>:first-child{margin-top:0}
article>h2:first-child{border-top:0;padding-top:0}
}
@media print{
body{background:#fff;color:#000;font-size:11pt}
header nav,header label,.skip,.search,.side,.contents{display:none}
.page,.document:has(.contents){display:block;padding:0}
article{max-width:none}
article pre,.scroll,article :not(pre)>code{background:none;color:#000}
article pre{white-space:pre-wrap}
.code [data-copy]{display:none}
.scroll{overflow:visible}
:is(h2,h3,h4){break-after:avoid}
}`;
