import { identifiersOf, wordsOf } from './identifiers.ts';
import { LEFT_COLUMN, type Term } from './left-column.ts';

export interface Found {
  readonly path: string;
  /** 0: the file name itself. */
  readonly line: number;
  readonly name: string;
  readonly instead: string;
}

/** A name all in lower case with an underscore is a column of the database or a field of a foreign API. */
const COLUMN = /^[a-z\d]+(?:_[a-z\d]+)+$/;

/** Every identifier of a file, and its name, that has a term of the left column. */
export function findTerms(path: string, source: string, terms: readonly Term[] = LEFT_COLUMN): Found[] {
  const here = terms.filter(
    ({ only, except }) =>
      (only?.some((start) => path.startsWith(start)) ?? true) &&
      !(except?.some((start) => path.startsWith(start)) ?? false),
  );
  const named = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  return [{ name: named, line: 0 }, ...identifiersOf(source)]
    .filter(({ name }) => !COLUMN.test(name))
    .flatMap(({ name, line }) => {
      const spoken = `|${wordsOf(name).join('|')}|`;
      return here
        .filter(({ term, whole }) => {
          const sought = `|${wordsOf(term).join('|')}|`;
          return whole ? spoken === sought : spoken.includes(sought);
        })
        .map(({ instead }) => ({ path, line, name, instead }));
    });
}
