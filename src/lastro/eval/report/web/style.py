"""How the page looks: one style sheet, light and dark, phone and paper.

Colours are named once and in pairs; a test measures their contrast.
"""

LIGHT = {
    "paper": "#f7f7f4",
    "surface": "#ffffff",
    "sunk": "#f1f1ec",
    "ink": "#1c2126",
    "soft": "#555e67",
    "rule": "#dfdfd8",
    "data": "#22577f",
    "data-pale": "#a9c6dd",
    "lost": "#b4452a",
    "mark": "#6b5b95",
    "pass": "#16693f",
    "pass-pale": "#e3f2e8",
    "fail": "#a8261b",
    "fail-pale": "#fbe7e4",
    "unmeasured": "#7a5200",
    "unmeasured-pale": "#fbf0d9",
}
DARK = {
    "paper": "#121518",
    "surface": "#1a1e23",
    "sunk": "#22272d",
    "ink": "#e8eaec",
    "soft": "#a4aeb8",
    "rule": "#333a42",
    "data": "#84b9e8",
    "data-pale": "#355676",
    "lost": "#f08d70",
    "mark": "#b9a6e6",
    "pass": "#6fd3a0",
    "pass-pale": "#16301f",
    "fail": "#ff9588",
    "fail-pale": "#3a1916",
    "unmeasured": "#ecc062",
    "unmeasured-pale": "#33270b",
}

_RULES = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
    "Apple SD Gothic Neo", "Malgun Gothic", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
header, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
a { color: var(--data); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--data); outline-offset: 2px; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h2 { font-size: 1.25rem; }
h3 { font-size: 1rem; }
p, ul { margin: 0; }
.kicker { color: var(--soft); font-size: .875rem; margin-bottom: .75rem; }

.verdict {
  border-radius: .75rem; padding: 1.25rem 1.5rem; border-left: .5rem solid;
  display: grid; gap: .25rem;
}
.verdict h1 { font-size: 1.5rem; display: flex; gap: .6rem; align-items: baseline; }
.verdict .mark { font-size: 1.25rem; flex: none; }
.verdict p { color: var(--ink); }
.pass { background: var(--pass-pale); border-color: var(--pass); }
.pass h1, .held { color: var(--pass); }
.fail { background: var(--fail-pale); border-color: var(--fail); }
.fail h1, .missed { color: var(--fail); }
.unmeasured { background: var(--unmeasured-pale); border-color: var(--unmeasured); }
.unmeasured h1, .gap { color: var(--unmeasured); }
.neutral { background: var(--sunk); border-color: var(--data); }
.held, .missed, .gap { font-weight: 600; }

.facts {
  list-style: none; padding: 0; margin: 1rem 0 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
}
.facts li {
  background: var(--surface); border: 1px solid var(--rule); border-radius: .5rem;
  padding: .6rem .9rem;
}
.facts b { display: block; font-size: 1.25rem; font-weight: 600; line-height: 1.3; }
.facts span { color: var(--soft); font-size: .8125rem; }
.lead { color: var(--soft); font-size: .9375rem; margin-top: 1rem; padding: 0; }
.lead li { list-style: none; }

nav {
  position: sticky; top: 0; z-index: 1; background: var(--paper);
  border-bottom: 1px solid var(--rule); margin-top: 1.5rem;
}
nav ul {
  max-width: 70rem; margin: 0 auto; padding: .6rem 1.25rem; list-style: none;
  display: flex; gap: 1.1rem; overflow-x: auto; white-space: nowrap;
  font-size: .875rem;
}
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }

section {
  background: var(--surface); border: 1px solid var(--rule); border-radius: .75rem;
  padding: 1.25rem 1.5rem; margin: 1.25rem 0;
}
.notes { color: var(--soft); font-size: .9375rem; padding: 0; margin-top: .35rem; }
.notes li { list-style: none; max-width: 48rem; }
.legend {
  color: var(--soft); font-size: .8125rem; margin-top: .5rem;
  display: flex; flex-wrap: wrap; gap: .2rem 1.1rem;
}
.legend span { display: inline-flex; align-items: center; gap: .35rem; }

.scroll { overflow-x: auto; margin-top: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; color: var(--soft); font-size: .8125rem; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
th, td {
  text-align: left; vertical-align: middle; padding: .4rem .9rem .4rem 0;
  border-bottom: 1px solid var(--rule);
}
tr > :last-child { padding-right: 0; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: .8125rem; }
tbody th { font-weight: 500; }
td.number, .wide .held, .wide .missed, .wide .gap { white-space: nowrap; }
tr.over > * { border-bottom: 0; padding-bottom: 0; }
tr.under td { color: var(--soft); font-size: .8125rem; padding-top: 0; }
tr.under details { margin: 0; }
tr.under summary { font-size: inherit; }
td.remark { color: var(--soft); font-size: .8125rem; max-width: 22rem; }
tr.none > * { color: var(--soft); }
td.drawn { width: 17rem; min-width: 10rem; }

.strip { display: block; width: 100%; max-width: 22rem; height: auto; }
.sample { width: 1rem; height: 1rem; flex: none; }
.track { stroke: var(--rule); stroke-width: 2; stroke-linecap: round; }
.tick { stroke: var(--rule); stroke-width: 1; }
.absent { stroke: var(--rule); stroke-width: 2; stroke-dasharray: 1 6; }
.interval { fill: var(--data-pale); }
.mean { fill: var(--data); }
.hollow { fill: var(--surface); stroke: var(--data); stroke-width: 2; }
.way { stroke: var(--data-pale); stroke-width: 4; }
.floor { fill: var(--surface); stroke: var(--mark); stroke-width: 1.75; }
.required { stroke: var(--ink); stroke-width: 2; }
.all { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 3 2; }
.left { fill: var(--data-pale); }
.lost { fill: var(--lost); }
.strip.bad .mean { fill: var(--fail); }
.axis { fill: var(--soft); font-size: 11px; }

.cards {
  display: grid; gap: 1rem 1.5rem; margin-top: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr));
}
.card h3 { font-size: .875rem; font-weight: 600; }
.card table { font-size: .8125rem; }
.card th, .card td { padding: .15rem .6rem .15rem 0; border: 0; }
.card td.drawn { width: 100%; min-width: 4rem; }
.card th { font-weight: 400; white-space: nowrap; }
.card td:last-child { color: var(--soft); }
.charts {
  display: grid; gap: 1.5rem; margin-top: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr));
}
.charts figure { margin: 0; max-width: 26rem; }
figcaption { font-size: .8125rem; color: var(--soft); }
.plot { width: 100%; height: auto; display: block; }
.plot text { fill: var(--soft); font-size: 11px; }
.frame { fill: none; stroke: var(--rule); }
.curve { fill: none; stroke: var(--data); stroke-width: 2.5; stroke-linejoin: round; }
.ideal { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 3; }
.stem { stroke: var(--lost); stroke-width: 1.5; }
.bin { fill: var(--data); fill-opacity: .85; }

details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--data); font-size: .9375rem; }
.group + .group { border-top: 1px solid var(--rule); }
.group { margin-top: .75rem; padding-top: .75rem; }
.group > p { color: var(--soft); font-size: .9375rem; margin: .25rem 0 .6rem; }
.case { border: 1px solid var(--rule); margin-top: -1px; background: var(--surface); }
.case > summary {
  padding: .45rem .9rem; color: var(--ink); display: grid; gap: .1rem .8rem;
  grid-template-columns: minmax(6rem, 13rem) 1fr; align-items: baseline;
}
.case[open] > summary { border-bottom: 1px solid var(--rule); background: var(--sunk); }
.case > summary:hover { background: var(--sunk); }
.body {
  padding: .25rem 1rem 1rem; display: grid; gap: .6rem;
  grid-template-columns: minmax(0, 1fr);
}
.body h4 {
  color: var(--soft); font-size: .8125rem; font-weight: 600; margin-top: .75rem;
}
.chips { display: flex; flex-wrap: wrap; gap: .35rem; list-style: none; padding: 0; }
.chips li {
  background: var(--sunk); border-radius: .35rem; padding: .1rem .5rem;
  font-size: .8125rem;
}
.chips li.short { background: var(--fail-pale); color: var(--fail); }
.text {
  white-space: pre-wrap; background: var(--sunk); border-radius: .5rem;
  padding: .6rem .9rem; margin-top: .35rem; font-size: .9375rem;
}
.text + .source { margin-bottom: .6rem; }
.source { color: var(--soft); font-size: .8125rem; margin-top: .5rem; }
.gold { color: var(--pass); font-weight: 600; }
.plain { padding-left: 1.1rem; font-size: .9375rem; }
footer { color: var(--soft); font-size: .8125rem; padding-bottom: 2.5rem; }

@media (max-width: 44rem) {
  header, main, footer, nav ul { padding-left: .9rem; padding-right: .9rem; }
  section { padding: 1rem; }
  .verdict { padding: 1rem; }
  .wide thead { display: none; }
  .wide tr {
    display: flex; flex-wrap: wrap; gap: 0 .9rem;
    padding: .5rem 0; border-bottom: 1px solid var(--rule);
  }
  .wide tbody tr:last-child { border-bottom: 0; }
  .wide tr.over { border-bottom: 0; padding-bottom: 0; }
  .wide tr.under { padding-top: 0; }
  .wide th, .wide td { border: 0; padding: .05rem 0; min-width: 0; max-width: 100%; }
  .wide th, .wide td.drawn, .wide td.remark, .wide .under td { flex: 1 0 100%; }
  .wide td.drawn { padding: .2rem 0; }
  .wide td:empty { display: none; }
  .wide td[data-head]::before {
    content: attr(data-head) " "; color: var(--soft); font-size: .8125rem;
  }
  .wide .strip { max-width: none; }
  .case > summary { grid-template-columns: 1fr; }
}
@media print {
  body { background: #fff; font-size: 9pt; }
  nav { display: none; }
  header, main, footer { max-width: none; padding: 0; }
  section { border: 0; padding: 0; }
  table { font-size: 8pt; }
  td.drawn { width: 8rem; min-width: 7rem; }
  td.remark { min-width: 8rem; font-size: 7.5pt; }
  .scroll { overflow: visible; }
  tr, .card, figure { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
  .body, .charts { display: block; }
}
"""


def _colours(named: dict[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in named.items())


STYLE = (
    f":root {{ color-scheme: light dark; {_colours(LIGHT)} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}\n"
    f"@media print {{ :root {{ {_colours(LIGHT)} }} }}"
    f"{_RULES}"
)
