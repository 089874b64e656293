import { CATEGORIES } from '../../agents/categories.ts';
import { categoryName } from './components.ts';
import { type Html, html, raw } from './html.ts';
import { WORDS } from './words.ts';

/** The query of a list page. Only `category` has a control; the rest is carried along, save the place in the list. */
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
