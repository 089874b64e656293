import { CATEGORIES } from '../../agents/categories.ts';
import { WORDS } from '../words/every-page.ts';
import { categoryName } from './components.ts';
import { type Html, html, raw } from './html.ts';

/** The query of a list page. What has no control there is carried along, save the place in the list. */
export type Filters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The categories as links, the chosen one marked. */
export function categoryFilter(path: string, filters: Filters): Html {
  const { category, cursor: _place, ...kept } = filters;
  const link = (chosen: string | undefined, words: string) => {
    const query = Object.entries({ ...kept, category: chosen }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
    const to = search === '' ? path : `${path}?${search}`;
    return html`<li><a href="${to}"${category === chosen && raw(' aria-current="true"')}>${words}</a></li>`;
  };
  return html`<nav class="filters" aria-label="${WORDS.category}"><ul>${link(undefined, WORDS.allCategories)}${CATEGORIES.map((c) => link(c, categoryName(c)))}</ul></nav>`;
}

/** Whether a filter is chosen. */
export function isNarrowed(filters: Filters): boolean {
  return Object.entries(filters).some(([name, value]) => value !== undefined && name !== 'cursor');
}

/** A choice among the values of one filter; without one, every row is shown. */
export interface FilterChoice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}

/** The controls of a list beside its choices, and the filters that they are for. */
interface OwnControls {
  /** Always shown. */
  readonly first: Html;
  /** Folded, with the choices. */
  readonly more: Html;
  readonly names: readonly string[];
}

/** A form that narrows a list. What is folded is open where it narrows; other filters are sent along. */
export function filterForm(
  path: string,
  filters: Filters,
  choices: readonly FilterChoice[],
  own?: OwnControls,
): Html {
  const names = new Set([...choices.map((c) => c.name), ...(own?.names ?? []), 'cursor']);
  const kept = Object.entries(filters).filter(([name, value]) => value !== undefined && !names.has(name));
  const isFolded = (name: string) => name !== 'cursor' && names.has(name) && name !== own?.names[0];
  const open = Object.entries(filters).some(([name, value]) => value !== undefined && isFolded(name));
  const button = html`<button>${WORDS.show}</button>`;
  const all = isNarrowed(filters) && html`<a href="${path}">${WORDS.everything}</a>`;
  return html`<form class="ask" action="${path}" method="get">
${own !== undefined && html`${own.first}${button}${all}`}
<details${open && raw(' open')}><summary>${WORDS.narrow}</summary><div class="ask">${own?.more}${choices.map((choice) => selectFor(choice, filters[choice.name]))}${own === undefined && html`${button}${all}`}</div></details>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
</form>`;
}

function selectFor({ name, label, options }: FilterChoice, chosen: Filters[string]): Html {
  const all = [['', WORDS.any] as const, ...options];
  return html`<div class="short"><label for="by-${name}">${label}</label>
<select id="by-${name}" name="${name}">${all.map(([value, words]) => html`<option value="${value}"${value === String(chosen ?? '') && raw(' selected')}>${words}</option>`)}</select></div>`;
}

/** The chains of the rows that are shown, and the chosen one. Nothing to choose where there is one chain. */
export function chainChoice(
  rows: readonly { readonly chain: string | null }[],
  filters: Filters,
): readonly FilterChoice[] {
  const chosen = filters.chain === undefined ? [] : [String(filters.chain)];
  const chains = [...new Set([...chosen, ...rows.flatMap((r) => r.chain ?? [])])].sort();
  if (chains.length < 2 && chosen.length === 0) return [];
  return [{ name: 'chain', label: WORDS.chain, options: chains.map((c) => [c, c] as const) }];
}
