import { CATEGORIES } from '../../agents/categories.ts';
import { type Html, html, raw } from './html.ts';

/** The query of a list page. Only `category` has a control; the rest is carried along. */
export type Filters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A plain form that filters by category and needs no script. */
export function categoryFilter(path: string, filters: Filters): Html {
  const options = CATEGORIES.map(
    (c) => html`<option value="${c}"${filters.category === c ? raw(' selected') : ''}>${c}</option>`,
  );
  // This option cannot be sent, because `category=` is not a category. The link beside it shows all.
  const none = html`<option value="" disabled selected>Choose one</option>`;
  return html`<form class="ask" action="${path}" method="get">
<div class="wide"><label for="category">Category</label>
<select id="category" name="category" required>${filters.category === undefined && none}${options}</select></div>
<button>Show</button>
${filters.category !== undefined && html`<a href="${path}">All categories</a>`}
</form>`;
}
