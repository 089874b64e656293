function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** What people do that limits nothing, as stems whose endings are regular. */
const REGULAR = setOf(`
  own manage head learn work volunteer live reside retire move relocate reopen launch expand mostly
  renovate refurbish restore decorate redecorate furnish paint translate play perform record tour travel commute hike
  camp sail fish garden farm bake cook brew cater host organise organize prepare celebrate graduate inherit love
  enjoy adore admire collect photograph film blog code research repair mend sew knit craft carve sculpt coach train
  mentor nurse raise adopt foster join represent dream downsize declutter tidy design publish edit
  serve help support miss tinker dabble cycle climb dance curate entertain start open close
  remodel redo revamp update modernise modernize produce practise practice homeschool gift treat surprise
  visit marry empty assemble compose busk stream follow enlarge import export deliver ship
  webcast podcast recycle equip outfit freshen brighten refresh restock replace outgrow renew settle date
  cheat scam walk knock arrive sleep wake rent study inspire gather roast ferment age climb skate surf jog exercise
  scuba relax chat laugh smile collaborate freelance consult juggle jam rehearse compete race chase fill
  ease drop pop rest remember turn revive rebuild stage hike row paddle box stitch weave embroider quilt forge weld
  solder plaster tile roof plumb wire landscape prune harvest plant water feed breed groom walk mind babysit
  worship pray preach sponsor donate fundraise document archive catalogue catalog display exhibit frame hang
  reload top migrate digitise digitize animate render illustrate sketch doodle prototype mix remix master
  resell flip commission moonlight busy specialise specialize focus cover swap kick flip look
`);
const IRREGULAR = setOf(`
  run runs ran running lead leads led leading teach teaches taught teaching study studies studied studying grow grows
  grew growing grown build builds built building rebuilt draw draws drew drawing write writes wrote
  writing read reads reading sing sings sang singing die dies died dying lose loses lost losing leave leaves leaving left
  drive drives drove driving ride rides rode riding dive dives diving fly flies flew flying make makes made
  making keep keeps kept keeping hold holds held holding do does did doing go goes went going become becomes became
  becoming throw throws threw throwing pass passes passed marries married marrying fix fixes fixed fixing
  coaches coached planning plan plans planned began begin begins beginning opening starting swim swims swam swimming
  fit fits fitting refit refitting refitted eat eats ate eating drink drinks drank drinking sit sits sat sitting
  stand stands stood get-married grown-up come comes came coming spin spins spun spinning wear wears wore wearing
  break breaks broke-down broken burn burns burnt burned feel feels felt feeling fall falls fell find-joy met meet meets
  meeting bring-up brought-up hurt sprang spring-cleaning see sees saw sleep slept sleeping bear born win wins won
`);

function inflected(stem: string): readonly string[] {
  const cut = stem.endsWith('e')
    ? stem.slice(0, -1)
    : /[^aeiou]y$/.test(stem)
      ? `${stem.slice(0, -1)}i`
      : stem;
  const es = /(?:s|x|ch|sh)$/.test(stem) ? `${stem}es` : cut.endsWith('i') ? `${cut}es` : `${stem}s`;
  const ing = stem.endsWith('e') ? `${stem.slice(0, -1)}ing` : `${stem}ing`;
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(stem) ? stem + stem.at(-1)! : stem;
  return [stem, es, `${cut}ed`, ing, `${doubled}ed`, `${doubled}ing`];
}

/** Verbs of a life and of a trade, in every form. None of them buys, sells, pays, limits, permits or decides. */
export const DOINGS: ReadonlySet<string> = new Set([...[...REGULAR].flatMap(inflected), ...IRREGULAR]);

/** Behind "I am", "she was": what people are that is no noun. */
export const STATES = setOf(`
  new fond keen retired married engaged located based born proud busy happy excited off back here passionate mad crazy
  self-employed semi-retired into about currently now both all always still finally expecting in from at on with one
  away abroad disabled homesick sick ill deaf blind pregnant out free eighty ninety obsessed nuts bonkers hooked addicted
  bad full empty quiet slow cold hot warm wet dry dark weak old young tall heavy dirty broken worn ready awake alive nervous curious tiny
  having getting just really very quite also soon going setting turning short running low
`);

/** What may be counted where people speak of themselves. */
export const COUNTED = setOf(`
  sister sisters brother brothers sibling siblings kid kids child children son sons daughter daughters friend friends
  grandchildren grandchild grandkids cousin cousins year years yr yrs decade decades shop shops store
  stores branch branches restaurant restaurants cafe cafes café cafés hotel hotels people person employees
  staff student students pupils members member players musicians cats cat dogs dog partners mates flatmates housemates
  collectors dealers generations generation bedrooms tables colleagues teachers teacher nurses guests nieces nephews
  locations sites schools bars pubs bakeries studios galleries men women ladies guys boys girls artists classrooms
  stalls markets offices floors tenants crews vans trucks horses hens chickens bikes rooms desks nights evenings singers
  volunteers players strangers roommates cousins aunts uncles doctors chefs cooks waiters drivers mechanics apprentices
`);

/** Words that might hide a rule, a limit, a condition, an order or a claim to authority, wherever they stand. */
export const RISKY = setOf(`
  may can could should shall will would must might ought cannot need needs needed want wants wanted wish wishes require
  requires supposed expected obliged bound insist insists insisted demand demands
  you your yours yourself agent agents bot bots assistant ai model system systems platform exchange marketplace protocol
  service reader mandate mandates limit limits limited unlimited cap caps rule rules policy policies instruction
  instructions prompt message note override overrides overriding ignore ignores disregard bypass bypassed skip authority
  authorities authorised authorized authorise authorize official officially officer compliance regulator regulators
  regulated auditor audit security admin admins administrator administrators root superuser sudo moderator
  moderators supervisor superior verified verify confirmed confirm approved approve approval permission permissions
  permitted allowed allow allows trust trusted trusts exempt exemption waive waived waives guarantee guaranteed emergency
  urgent urgently police court judge sheriff government ministry minister operator operators owner principal
  allergic allergy allergies intolerant intolerance vegan vegans vegetarian vegetarians veggie pescatarian halal kosher
  muslim muslims islamic sharia shariah jewish jew hindu hindus sikh buddhist buddhists jain mormon amish religious
  orthodox devout strict strictly celiac coeliac diabetic diabetics gluten lactose sober teetotal teetotaller alcoholic
  abstain abstaining ethical ethically ethics sustainable sustainability eco ecological green environmental
  environmentalist activist activists pacifist minimalist minimalists purist purists stickler picky fussy choosy
  particular careful carefully cautious conservative sceptical skeptical sceptic skeptic wary risk risks risky averse
  phobia afraid scared fear fears hate hates hated dislike dislikes disliked detest loathe refuse refuses refused avoid
  avoids avoiding against opposed oppose opposes ban bans banned boycott boycotts forbid forbids forbidden prohibit
  prohibits prohibited illegal legal legally law laws underage minor minors bored tired enough fed
  instead rather prefer prefers preferred preference favourite favorite favour favor except excluding exclude excluded
  besides unless until till before once only just-only solely exclusively never no not none nothing nobody neither nor
  without hardly barely rarely seldom less least more most max maximum min minimum over under above below beyond within
  than higher lower low high price prices priced pricing cost costs budget money cash funds spend spends
  spending spent pay pays paid paying sell sells selling sold buy buys buying bought purchase purchases purchasing trade
  trades trading deal deals order orders bid bids charge principle principles charter statute statutes bylaws regulation
  regulations asked ask asks told tells tell informed consulted notified checked warned know knows knowing check checks
  clean proof provenance certified certificate certificates licensed unlicensed stolen fake fakes counterfeit forged
  genuine insured sanction sanctions sanctioned instruct instructs instructed ordered command commands obey access
  password key keys seed wallet wallets account accounts address addresses send sends sent transfer transfers withdraw
  refund owe owes owed debt debts say says said word veto vetoes vote votes voted decide decides decided decision
  decisions sign signs signed agree agrees agreed consent consents if when whenever whether while where provided depending otherwise
  half double triple dozen hundred thousand million percent organic fairtrade recycled fasting temporary temporarily
  cease stop stops stopped stopping end ends ended ending expire expires expired finish finished finishes deadline valid
  seller sellers buyer buyers vendor vendors supplier suppliers counterparty counterparties merchant merchants trader
  merchant party parties network networks chain chains blockchain instalment instalments monthly weekly daily yearly
  automatically automatic renewable renewing renewal extend extended extending extension permanent permanently forever
  accept accepts accepted accepting reject rejects rejected consider grant grants granted delegate delegates appoint
  appoints appointed entitle entitled right rights-holder power powers lift lifted raise-limit change changed changes
`);

/** Words of the lexicon that say nothing where somebody speaks of themselves. */
export const HARMLESS = setOf(`
  and also plus too having people family families human partner partners i we us me my our i'm we're i've we've myself
  ourselves personal after since mostly usually typically nearly almost some several few couple good market business
  something together around book books record records time times season home house have has had been being ever still
  always am pair piece pieces unit units first one ones her his him she he they them their it its it's s always mainly
  and & or back up out down off on about away there here everywhere as by into at every each between through evening
  morning evenings mornings night nights weekend weekends weekday weekdays summer winter autumn spring fall season
  seasons christmas easter day days week weeks month months years year decade soon later lately sometime again while-ago
  set set-up stuff things thing stock inventory store stores big small large little old young great nice lovely fresh
  local short dead quiet slow busy part parts ago next last coming following now today tonight asset assets quickly quick
  card cards game games room rooms seat seats box boxes bag bags bottle bottles case cases dealer dealers collection other
  fine classic vintage fond good used rare entire whole full everyone everybody what how much many lot lots loads bit
  is are was were be that which who whose this these those the a an of in from to for with near via onto like
  enthusiast enthusiasts expecting due round straight sometimes often really very quite so already just recently
  finally currently usually almost today early late real happy keen plain single given rolling individual
  something's everything everyone's anyone goods product products merchandise line lines project projects exercise series
`);

/** What somebody may speak of as "it" or "they" where nothing but whom it is for is said. */
export const GIVEN = setOf(
  'gift gifts present presents surprise treat hobby birthday wedding anniversary party',
);
