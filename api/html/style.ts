import { PLOT_STYLE } from '../determinations/price-plot.ts';

/** The only style sheet. It is inline and allowed by its hash, so a page needs one request and no script. */
export const STYLE = `
:root{color-scheme:light dark;
--paper:light-dark(#fbfaf7,#14161a);--card:light-dark(#ffffff,#1c1f25);--ink:light-dark(#1b1d21,#eceae4);
--soft:light-dark(#565b65,#a9aeb8);--line:light-dark(#dcd9d0,#343942);--link:light-dark(#0b4f9e,#8fc1ff);
--mark:light-dark(#0e5a45,#7fd8b4);--clean:light-dark(#0c5a37,#8ce0b0);--clean-bg:light-dark(#e0f3e8,#123524);
--flag:light-dark(#9b1c1c,#ffb0a8);--flag-bg:light-dark(#fde8e6,#43191a);--open:light-dark(#6f4a00,#f3cf7a);
--open-bg:light-dark(#fbf0d3,#3a2d0d);--focus:light-dark(#b3261e,#ffcc4d)}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{font:100%/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink)}
a{color:var(--link);text-underline-offset:.15em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999rem;top:0;background:var(--card);padding:.6rem 1rem;z-index:9}
.skip:focus{left:.5rem;top:.5rem}
.wrap{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top .wrap{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;padding-block:.75rem}
.brand{font-weight:700;letter-spacing:-.01em;color:var(--ink);text-decoration:none;margin-right:auto;display:flex;gap:.5rem;align-items:center}
.brand svg{color:var(--mark)}
.top ul{display:flex;flex-wrap:wrap;gap:.1rem .25rem;list-style:none;margin:0 -.6rem;padding:0}
.top li a{display:block;padding:.45rem .6rem;text-decoration:none;border-radius:4px}
.top li a:hover{text-decoration:underline}
.top li a[aria-current]{font-weight:600;color:var(--ink);box-shadow:inset 0 -2px var(--mark);border-radius:0}
main{overflow-wrap:break-word}
img{max-width:100%;height:auto}
main.wrap{padding-block:2.5rem 4rem;min-height:60vh}
main:focus{outline:0}
h1{font-size:clamp(1.6rem,4vw,2.2rem);line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .75rem}
h3{font-size:1.05rem;margin:1.25rem 0 .5rem}
.card h3,.card h2{margin-top:0}
p{max-width:68ch;margin:0 0 1rem}
.lead{font-size:1.1rem;color:var(--soft)}
.soft{color:var(--soft)}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));padding:0;list-style:none;margin:1.5rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1.25rem}
.card p:last-child{margin-bottom:0}.card p{overflow-wrap:anywhere}
.scroll{position:relative;overflow-x:auto;margin:0 0 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.95rem}
caption{text-align:left;padding:.75rem 1rem;color:var(--soft)}
th,td{text-align:left;padding:.6rem 1rem;border-top:1px solid var(--line);vertical-align:top}
thead th{font-size:.82rem;color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:500;min-width:9rem;max-width:26rem;overflow-wrap:anywhere}
td.words{min-width:15rem;overflow-wrap:anywhere}
tbody th .hex{display:inline-block;min-width:12rem}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
code,pre,.hex{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.9em}
.hex{overflow-wrap:anywhere}
td .hex,.whole{white-space:nowrap}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow-x:auto;line-height:1.45;margin:0 0 1rem}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.4rem 1.5rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media (max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:99px;font-size:.85rem;font-weight:600;white-space:nowrap;border:1px solid currentColor;color:var(--soft)}
.badge.clean{color:var(--clean);background:var(--clean-bg)}
.badge.flag{color:var(--flag);background:var(--flag-bg)}
.badge.open{color:var(--open);background:var(--open-bg)}
.big{font-size:1.1rem;padding:.3rem 1rem}
form.ask{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;margin:1rem 0}
form.ask div{flex:1 1 22rem}
form.ask .short{flex:0 1 10rem}
form.ask .wide{flex:0 1 19rem}
form.ask>a{padding-block:.55rem}
label,legend{display:block;font-weight:600;margin-bottom:.25rem;padding:0}
input,select,textarea{font:inherit;width:100%;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:6px;background:var(--card);color:inherit}
input,select{height:2.75rem}
button,.button{min-height:2.75rem;line-height:1.4}
textarea{min-height:7rem;resize:vertical}
.code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace}
input[type=radio],input[type=checkbox]{width:1.15rem;height:1.15rem;margin:.25rem 0 0;flex:none;accent-color:var(--mark)}
[aria-invalid=true]{border:2px solid var(--flag)}
button,.button{font:inherit;font-weight:600;display:inline-block;padding:.55rem 1.25rem;border:1px solid var(--mark);border-radius:6px;background:var(--mark);color:var(--paper);cursor:pointer;text-decoration:none}
button:hover,.button:hover{text-decoration:underline}
.second{background:none;color:var(--mark)}
.acts{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0;max-width:none}
form.sheet{max-width:40rem;margin:1.5rem 0}
.who{display:flex;flex-wrap:wrap-reverse;justify-content:space-between;gap:1rem 2rem}.who>div{flex:1 1 22rem;min-width:0}.who img{border-radius:8px}
form.wide{max-width:52rem}
.way{margin:0 0 .5rem;font-size:.95rem}
.good{border-color:var(--clean);background:var(--clean-bg);color:var(--clean)}section.good{margin:0 0 1.25rem;max-width:40rem}
.grid h2{font-size:1.05rem;margin:0 0 .35rem}
.groups{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));margin:1.5rem 0}
.groups h2{margin:0 0 .75rem}.groups ul{list-style:none;margin:0;padding:0}.groups li{padding:.6rem 0;border-top:1px solid var(--line)}
.groups li:last-child{padding-bottom:0}.groups li a{font-weight:600}.groups li p{margin:.1rem 0 0;color:var(--soft);font-size:.95rem}
.says{border-left:.35rem solid var(--mark);max-width:52rem;margin:0 0 1.25rem}.says h2{font-size:1rem;color:var(--soft);margin:0 0 .25rem}.says p{font-size:1.1rem}
.attention{border-left:.35rem solid var(--open);max-width:52rem;margin:0 0 1.25rem}.attention .acts{margin:.75rem 0}
.sides{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));margin:0 0 1.25rem}.sides h2{font-size:1.05rem}.sides ul{margin:0;padding-left:1.25rem}.sides ins{text-decoration:none;font-weight:600;background:var(--clean-bg);color:var(--clean)}.sides del{background:var(--flag-bg);color:var(--flag)}
.secret{font-size:1.05rem;user-select:all}
.sheet pre{white-space:pre-wrap;overflow-wrap:anywhere}
.field{margin:0 0 1.5rem;border:0;padding:0;min-width:0}
.part{margin:0 0 1.5rem;padding:.5rem 1.25rem 0;border:1px solid var(--line);border-radius:8px;background:var(--card);min-width:0}
.part legend{padding:0 .4rem;margin-left:-.4rem;font-size:1.05rem}
.part>.hint{margin-bottom:1.1rem}
.costs{max-width:40rem}
progress{width:100%;max-width:22rem;accent-color:var(--mark)}
.hint{color:var(--soft);font-size:.95rem;margin:0 0 .4rem}
.wrong{color:var(--flag);font-weight:600;margin:0 0 .4rem}
.options{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
.option{display:flex;gap:.75rem;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:1rem}
.option:has(:checked){border-color:var(--mark);box-shadow:inset 0 0 0 1px var(--mark)}
.one{display:flex;gap:.75rem;align-items:flex-start;padding:.35rem 0}.one label{font-weight:400;margin:0}
.option p{margin:0;color:var(--soft);font-size:.95rem}
.problem{border-color:var(--flag);border-left-width:.35rem;max-width:40rem;margin:0 0 1.5rem}
.problem h2{margin:0 0 .5rem;color:var(--flag)}
.problem li{overflow-wrap:anywhere}
.problem ul,.plain{margin:0;padding-left:1.25rem}
.plain{list-style:none;padding:1.25rem;max-width:40rem;margin:0 0 1.25rem}.plain li{padding:.15rem 0;overflow-wrap:anywhere}
blockquote{margin:0 0 1.25rem;padding:.25rem 0 .25rem 1.25rem;border-left:3px solid var(--line)}blockquote p{margin:0;overflow-wrap:anywhere}
.pager{display:flex;gap:1rem;margin-top:1rem}.pager+.soft{margin-top:.6rem}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
footer .wrap{padding-block:1.5rem;display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
summary{cursor:pointer;padding:.5rem 0;font-weight:600}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
${PLOT_STYLE}@media print{:root{color-scheme:light}.top,footer,.pager,form,.acts{display:none}.scroll{overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}tr,.card{break-inside:avoid}}
`;
