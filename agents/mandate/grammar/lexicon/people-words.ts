function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** What people are and where they work, each as one word; two of them together are one: "coffee shop". */
export const CALLINGS = setOf(`
 teacher teachers nurse doctor dentist surgeon vet lawyer accountant engineer architect builder plumber electrician
 carpenter joiner mechanic driver pilot sailor farmer gardener florist baker butcher chef cook waiter barista brewer
 winemaker sommelier fisherman tailor hairdresser barber jeweller jeweler goldsmith watchmaker clockmaker luthier
 potter painter sculptor illustrator photographer designer developer programmer coder writer author journalist editor
 translator librarian historian scientist researcher student students pupil professor lecturer tutor coach trainer
 musician singer drummer guitarist violinist pianist dj producer actor director dancer comedian artist artists
 collector collectors dealer dealers trader traders reseller resellers buyer buyers seller sellers merchant broker
 agent investor investors saver pensioner retiree widow widower parent mother father mum dad grandmother grandfather
 couple family families household landlord tenant owner owners founder manager director executive consultant freelancer
 contractor shopkeeper grocer retailer wholesaler importer exporter distributor auctioneer curator restorer hobbyist
 enthusiast fan gamer streamer youtuber podcaster blogger traveller traveler hiker cyclist runner
 shop shops store stores stall stalls market boutique gallery museum theatre theater cinema orchestra choir band
 ensemble school university college academy library club society association charity church parish museum archive
 restaurant restaurants cafe café bar bistro pub bakery brewery winery vineyard hotel hostel inn guesthouse lodge spa
 salon gym clinic hospital practice pharmacy office firm company business startup start-up enterprise corporation
 agency studio workshop factory plant warehouse garage garden farm ranch estate fund funds trust bank treasury desk
 team department group cooperative co-op partnership syndicate foundation institute council municipality outfit
 pawnshop pawnbroker bookshop bookstore bookseller newsagent kiosk supermarket grocery delicatessen deli caterer
 catering kitchen canteen coop op
 label publisher press cellar cellars boat farmhouse cottage
 household planner planners organiser organisers events venue promoter
`);

/** Words that only stand in front of a calling: "coffee shop", "record label". */
export const TRADES = setOf(`
  fish fruit pet shoe shoes clothes clothing furniture jewellery jewelry sweet candy bread cheese
  co corner gift vintage thrift charity second-hand hardware garden camera watch print sports music hotel
  food coffee tea wine book record music art antique antiques toy bike car boat travel event
  weekend flea street sunday saturday online antiques
  wedding concert phone computer electronics repair design web software game film video production house home flat kitchen festival
`);

/** For whom or what somebody buys: "for my album", "for our sales team", "it's for a birthday". */
export const PURPOSES = setOf(`
  birthday birthdays wedding weddings anniversary party parties christening funeral graduation retirement celebration
  reception dinner lunch breakfast banquet picnic barbecue conference meeting retreat offsite trip trips holiday holidays
  vacation honeymoon journey tour season summer winter spring autumn christmas christmas easter album albums collection
  collections wall walls shelf shelves office offices kitchen kitchens garden gardens cellar cellars living-room bedroom
  hallway study house home flat apartment shop store restaurant café cafe bar hotel gallery museum library archive
  workshop garage studio school class classroom students pupils club team teams crew staff colleagues employees guests
  clients customers friends family families wife husband partner daughter daughters son sons children kids child baby
  mother father mum dad parents grandparents grandmother grandfather grandchildren niece nephew nieces nephews sister
  brother aunt uncle cousin cousins boss neighbour neighbours girlfriend boyfriend mates charity raffle auction fair
  project projects hobby research exhibition show play event events festival campaign website blog channel podcast
  canteen canteens cafeteria dining-room break-room sales marketing design support finance purchasing fundraiser present presents gift gifts surprise
`);

/** Where somebody works, whom things may be for: "for a pawnshop", "for our choir". None of them is goods. */
export const PREMISES = setOf(`
  pawnshop pawnbroker bookshop bookstore newsagent kiosk stall stalls boutique bakery brewery bistro pub deli caterer
  choir orchestra band university college academy society association church parish salon gym clinic pharmacy firm
  company business start-up agency factory warehouse garage farm estate fund funds trust desk department cooperative
  partnership syndicate foundation institute council employer mates mate pals buddies
`);

/** How people describe themselves. None of these words limits anything. */
export const QUALITIES = setOf(`
  small little tiny big large medium mid-sized sized modest busy young old older new retired former semi-retired
  private public independent family-run family local regional national international online offline high-street
  professional amateur part-time full-time keen avid proud passionate serious casual occasional lifelong long-time
  second-generation third-generation registered licensed certified humble simple ordinary lone solo
  village town city country rural urban seaside coastal corner neighbourhood community student-run owner-run
  non-profit nonprofit charitable boutique specialist general family-owned part time full mid
`);

/** What people do by trade or by liking, behind "I" or "we". */
export const HABITS = setOf(`
  resell collect repair restore refurbish teach play make build design develop write publish import export fix
  recycle rent restore cook bake brew grow breed sew paint photograph film record perform study love like enjoy adore
  follow travel commute farm garden fish sail ski cycle ride dive climb sculpt hike camp knit draw
`);

/** What people deal in that is no category of goods by itself. */
export const WARES = setOf(`
  phones phone gadgets gear clothes shirts trainers parts tyres cds dvds games comics novels magazines posters
  plates cups glass wood metal things stuff bits bobs curiosities oddities prints pictures people children
`);
