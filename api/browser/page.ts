import './connect-wallet.ts';
import './developer-tools.ts';
import './in-place.ts';
import './owner-dashboard.ts';
import './record-proof.ts';
import './sign-form.ts';
import './wallet-act.ts';
import { fillKnown } from './known-field.ts';
import { followEvents } from './live.ts';
import { relativeTimes } from './small-elements.ts';

// Parts are remembered as the server sent them, before anything is added to them.
followEvents();
relativeTimes(document);
fillKnown(document);
