import type { Selectable } from 'kysely';
import type { Deals, RegisterImports } from './schema.ts';

/**
 * The tables of `migrations/`, typed. `schema.ts` is generated from them by `npm run schema`, what is JSON is typed in
 * `json-columns.ts`. Money is bigint micro-dollars; times are Date.
 */
export type { DB as Tables } from './schema.ts';

export type DealState = Selectable<Deals>['state'];
export type RegisterName = Selectable<RegisterImports>['register'];
