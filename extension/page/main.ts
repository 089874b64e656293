/**
 * The half that runs in the page itself, before any script of it: what the page gets of a wallet, it gets from here. It
 * decides nothing; what it lets through, the other half checks again where the wallet listens.
 */
import { guardAnnouncements } from './announcements.ts';
import { openChannel } from './channel.ts';
import { guardGlobals } from './globals.ts';
import { openGuard } from './guard.ts';
import { guardProviders } from './provider.ts';

const providers = guardProviders(openGuard(openChannel()));
guardAnnouncements(providers);
guardGlobals(providers);
