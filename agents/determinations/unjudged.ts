import { check, type Judging } from './judging.ts';
import { listCheck, type RegisterState, usable } from './lists.ts';
import { argue, scorecard } from './scorecard.ts';
import type { Check } from './types.ts';

/** What these rules cannot judge yet is said to be INCONCLUSIVE, with the reason, never left out. */

export interface ProvenanceCommon {
  readonly assetKey: string;
  readonly stolen: RegisterState;
}

type NoFacts = Readonly<Record<string, never>>;

export const NOT_A_POLICE_SEARCH = 'this is not a search of national police databases';

export const provenance: Judging<ProvenanceCommon, NoFacts> = {
  rules: ({ common, at }): Check[] => {
    const listed = listCheck('list-stolen', common.stolen, common.assetKey, at);
    const custody = {
      name: 'chain of custody',
      asOf: at,
      limit: `not examined by this version of the rules; ${NOT_A_POLICE_SEARCH}`,
    };
    return [
      {
        ...listed,
        sources: listed.sources.map((s) => ({ ...s, limit: `${s.limit}; ${NOT_A_POLICE_SEARCH}` })),
      },
      check(
        'chain-of-custody',
        'INCONCLUSIVE',
        `who held it before is not examined; ${NOT_A_POLICE_SEARCH}`,
        [custody],
      ),
    ];
  },
  statistics: ({ common }) => {
    const hits = common.stolen.hits.filter((h) => h.key === common.assetKey).length;
    const hit = {
      name: 'stolen-hits',
      value: hits,
      weight: 100,
      meaning: `${hits} reports of theft`,
      hard: true,
    };
    return scorecard([hit], 0, ['its chain of custody is not examined', NOT_A_POLICE_SEARCH]);
  },
  adversary: ({ common, at }) =>
    argue([
      { holds: common.stolen.hits.length > 0, hard: true, says: 'it is reported stolen' },
      {
        holds: !usable(common.stolen, at),
        unread: true,
        says: 'no fresh register of stolen goods was at hand',
      },
      { holds: true, unread: true, says: 'who held it before is not examined' },
    ]),
};
